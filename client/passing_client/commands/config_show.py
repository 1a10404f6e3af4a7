"""`passing config show`: the settings in force, and where each came from."""

import json
from argparse import ArgumentParser, Namespace

from passing_client.language import _, mark
from passing_client.settings import add_setting_flags
from passing_link.exits import ExitCode

HELP = mark("show the settings that are in force")
EXAMPLES = mark(
    """\
  passing config show             all settings, as a settings file would have them
  passing config show --origin    and where each of them came from
"""
)


def add_arguments(parser: ArgumentParser) -> None:
    """Add `--origin`, and the one setting that this command has itself."""
    text = _("say where each came from: flag, variable, file or default")
    parser.add_argument("--origin", action="store_true", help=text)
    add_setting_flags(parser, "lang")


def run(arguments: Namespace) -> int:
    """Print one line a setting, in the form of a settings file."""
    from passing_client.settings import ALLOWED, effective_settings

    effective = effective_settings(arguments)
    for name in ALLOWED:
        value: object = getattr(effective.settings, name)
        written = json.dumps(value, ensure_ascii=False)
        missing = _("# {name} is not set").format(name=name)
        line = missing if value is None else f"{name} = {written}"
        print(f"{line:<34}  # {effective.origins[name]}" if arguments.origin else line)
    return ExitCode.DONE
