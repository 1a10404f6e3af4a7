"""A setting comes from the strongest source that has it, and a bad one is named in full."""

import json
import os
from argparse import ArgumentParser, Namespace
from itertools import combinations
from pathlib import Path

import pytest

from passing_client.settings import (
    ALLOWED,
    ConfirmPass,
    InvalidSetting,
    Settings,
    add_setting_flags,
    effective_settings,
    own_file,
)
from passing_link.exits import ExitCode
from passing_protocol.names import NAME_CHARS, NAME_COLUMNS

SOURCES = ("own file", "folder file", "variable", "flag")
"""From the weakest to the strongest."""

VALUES: dict[str, list[object]] = {
    "name": ["Ann", "Bo", "Cy", "Di"],
    "profile": ["ann", "Bo", "cy_2", "d-i"],
    "server": ["a.example", "b.example:1", "[::1]:2", "192.0.2.4"],
    "confirm_pass": ["ask", "never", "ask", "never"],
    "bell": [True, False, True, False],
    "pace": [0, 1, 2, 10_000],
    "plain": [True, False, True, False],
    "ascii": [True, False, True, False],
    "lang": ["el", "sv", "eo", "ms"],
    "memory": [True, False, True, False],
    "records": [True, False, True, False],
    "records_folder": ["a", "b c", "~/d", "/e"],
    "keep_records": [1, 2, 200, 100_000],
}
"""What each source says, from the weakest to the strongest."""

BAD: list[tuple[str, object]] = [
    ("name", ""),
    ("name", 7),
    ("profile", "a/b"),
    ("profile", ".."),
    ("profile", "ä"),
    ("profile", "a\n"),
    ("profile", "a" * 33),
    ("profile", 7),
    ("server", "a:b"),
    ("server", "two words"),
    ("confirm_pass", "sometimes"),
    ("bell", "loud"),
    ("pace", -1),
    ("pace", 10_001),
    ("pace", 1.5),
    ("pace", "9" * 5_000),
    ("pace", "fast"),
    ("plain", "thin"),
    ("ascii", "no"),
    ("lang", "de"),
    ("lang", "EL"),
    ("lang", 5),
    ("memory", "good"),
    ("records", "some"),
    ("records_folder", 7),
    ("records_folder", ""),
    ("keep_records", 0),
    ("keep_records", 100_001),
    ("keep_records", "all"),
]

BAD_AS_TEXT = [case for case in BAD if case[1] not in (7, "")]
"""As text 7 is a name or a path like others, and an empty one says nothing."""


def write(path: Path, **settings: object) -> None:
    """Write a file of settings."""
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = (f"{name} = {json.dumps(value)}\n" for name, value in settings.items())
    path.write_text("".join(lines), encoding="utf-8")


def effective(sources: tuple[str, ...], name: str) -> tuple[object, str]:
    """Let some sources have one setting; return its value in force, and where it came from."""
    said = dict(zip(SOURCES, VALUES[name], strict=True))
    arguments = Namespace(**{name: said["flag"] if "flag" in sources else None})
    environment: dict[str, str] = {}
    own_file().unlink(missing_ok=True)
    Path("passing.toml").unlink(missing_ok=True)
    if "own file" in sources:
        write(own_file(), **{name: said["own file"]})
    if "folder file" in sources:
        write(Path("passing.toml"), **{name: said["folder file"]})
    if "variable" in sources:
        environment[f"PASSING_{name.upper()}"] = str(said["variable"])
    found = effective_settings(arguments, environment)
    value: object = getattr(found.settings, name)
    return value, found.origins[name]


@pytest.mark.parametrize("name", ALLOWED)
def test_the_strongest_source_wins(name: str) -> None:
    labels = {
        "own file": str(own_file()),
        "folder file": "passing.toml",
        "variable": f"PASSING_{name.upper()}",
        "flag": "flag",
    }
    for count in range(1, len(SOURCES) + 1):
        for sources in combinations(SOURCES, count):
            strongest = sources[-1]
            expected = VALUES[name][SOURCES.index(strongest)]
            assert effective(sources, name) == (expected, labels[strongest])


def test_without_sources_all_is_as_by_default() -> None:
    found = effective_settings(environment={})
    assert found.settings == Settings()
    assert set(found.origins.values()) == {"default"}


def test_defaults_are_those_of_a_newcomer() -> None:
    settings = Settings()
    assert settings.name is settings.server is None
    assert settings.confirm_pass is ConfirmPass.ASK
    assert settings.bell


def test_each_setting_has_words_for_what_is_allowed() -> None:
    assert tuple(ALLOWED) == Settings.__struct_fields__


@pytest.mark.parametrize("text", ["1", "true", "True"])
def test_a_variable_says_true(text: str) -> None:
    Path("passing.toml").write_text("bell = false\n")
    assert effective_settings(environment={"PASSING_BELL": text}).settings.bell


@pytest.mark.parametrize("text", ["0", "false", "False"])
def test_a_variable_says_false(text: str) -> None:
    assert not effective_settings(environment={"PASSING_BELL": text}).settings.bell


def test_a_name_that_is_too_long_is_told_how_long_it_may_be() -> None:
    with pytest.raises(InvalidSetting, match=f"at most {NAME_COLUMNS} columns"):
        effective_settings(Namespace(name="x" * (NAME_CHARS + 1)))


def test_an_empty_variable_says_nothing() -> None:
    found = effective_settings(environment={"PASSING_NAME": "", "PASSING_PACE": ""})
    assert found.settings == Settings()


def test_variables_of_others_are_left_alone() -> None:
    environment = {"PASSING_DEBUG": "1", "NAME": "Ann", "PASSING": "x"}
    assert effective_settings(environment=environment).settings == Settings()


def test_arguments_that_are_no_settings_are_left_alone() -> None:
    arguments = Namespace(bots=3, host="a.example", name="Ann")
    assert effective_settings(arguments, {}).settings == Settings(name="Ann")


# --- bad settings --------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "value"), BAD)
def test_a_bad_value_in_a_file_is_named_in_full(name: str, value: object) -> None:
    write(Path("passing.toml"), **{name: value})
    with pytest.raises(InvalidSetting) as caught:
        effective_settings(environment={})
    assert caught.value.code is ExitCode.USAGE
    assert caught.value.sentence == (
        f"passing.toml: {name} is {value!r} and has to be {ALLOWED[name]}."
    )


@pytest.mark.parametrize(("name", "value"), BAD_AS_TEXT)
@pytest.mark.parametrize("source", ["variable", "flag"])
def test_a_bad_value_as_text_is_named_in_full(name: str, value: object, source: str) -> None:
    variable = f"PASSING_{name.upper()}"
    environment = {variable: str(value)} if source == "variable" else {}
    arguments = Namespace(**{name: str(value)}) if source == "flag" else None
    flag = "--as" if name == "profile" else f"--{name.replace('_', '-')}"
    label = f"{variable}: {name}" if source == "variable" else flag
    with pytest.raises(InvalidSetting) as caught:
        effective_settings(arguments, environment)
    assert caught.value.sentence == (f"{label} is {str(value)!r} and has to be {ALLOWED[name]}.")


def test_a_file_takes_no_text_for_another_type() -> None:
    write(Path("passing.toml"), bell="true")
    with pytest.raises(InvalidSetting, match="bell is 'true' and has to be true or false"):
        effective_settings(environment={})


def test_an_unknown_setting_in_a_file_is_named_with_those_there_are() -> None:
    write(own_file(), colour="red")
    with pytest.raises(InvalidSetting) as caught:
        effective_settings(environment={})
    assert str(own_file()) in caught.value.sentence
    assert "'colour'" in caught.value.sentence
    assert all(name in caught.value.sentence for name in ALLOWED)


def test_a_folder_of_the_files_name_is_told_of(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("passing.toml").mkdir()
    with pytest.raises(InvalidSetting, match=r"^passing.toml: cannot be read: Is a directory\.$"):
        effective_settings()


def test_where_there_can_be_no_file_of_ones_own_there_is_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("passing_client.settings.own_file", lambda: Path("/dev/null/config.toml"))
    assert effective_settings(environment={}).settings == Settings()


@pytest.mark.parametrize("content", [b"name = Ann", b"name = ", b"name = '\xff'"])
def test_a_file_that_is_no_toml_is_named(content: bytes) -> None:
    Path("passing.toml").write_bytes(content)
    with pytest.raises(InvalidSetting, match=r"^passing.toml: cannot be read as TOML: "):
        effective_settings(environment={})


def test_a_file_that_never_ends_is_refused() -> None:
    os.mkfifo("passing.toml")
    with pytest.raises(InvalidSetting, match="cannot be read: Not a regular file"):
        effective_settings(environment={})


def test_a_file_that_cannot_be_read_is_named() -> None:
    Path("passing.toml").mkdir()
    with pytest.raises(InvalidSetting, match=r"^passing.toml: cannot be read"):
        effective_settings(environment={})


# --- flags ---------------------------------------------------------------------------------


def parsed(*words: str) -> Namespace:
    parser = ArgumentParser()
    add_setting_flags(parser, *(name for name in ALLOWED if name != "server"))
    return parser.parse_args(words)


def test_flags_that_are_not_given_decide_nothing() -> None:
    assert effective_settings(parsed(), {}).settings == Settings()


def test_flags_decide() -> None:
    words = ("--name", "Ann", "--no-bell", "--confirm-pass", "never", "--pace", "5")
    expected = Settings(name="Ann", bell=False, confirm_pass=ConfirmPass.NEVER, pace=5)
    assert effective_settings(parsed(*words), {}).settings == expected


def test_the_profile_has_a_flag_of_another_name() -> None:
    assert effective_settings(parsed("--as", "Bo"), {}).settings == Settings(profile="Bo")


def test_a_flag_can_take_back_what_a_file_says() -> None:
    write(own_file(), bell=True)
    assert effective_settings(parsed(), {}).settings.bell
    assert not effective_settings(parsed("--no-bell"), {}).settings.bell
