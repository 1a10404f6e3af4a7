"""The `passing` command finds what is meant, and ends in good manners whatever happens."""

import os
import subprocess
import sys
from pathlib import Path
from textwrap import dedent, indent

import pytest

from passing_client.command import main
from passing_client.language import LANGUAGES
from passing_link.exits import ExitCode
from tests.client.conftest import AddCommand

HEAVY = ("asyncio", "msgpack", "prompt_toolkit", "shtab", "sqlite3", "zmq")


def module(body: str, add_arguments: str = "pass", more: str = "") -> str:
    """The source of a command's module whose `run` has this body."""
    return dedent(
        """\
        HELP = "try something"
        {more}
        def add_arguments(parser):
        {add_arguments}
        def run(arguments):
        {body}
        """
    ).format(
        more=more,
        add_arguments=indent(add_arguments, "    "),
        body=indent(dedent(body), "    "),
    )


def passing(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run the command as its own process."""
    return subprocess.run(
        [sys.executable, "-m", "passing_client", *words],
        env={**os.environ, **environment},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )


# --- help ----------------------------------------------------------------------------------


def test_help_begins_with_examples_and_lists_the_commands(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["--help"]) == ExitCode.DONE
    help_text = capsys.readouterr().out
    assert help_text.startswith("Examples:\n  passing ")
    for command in ("bot", "completion", "config", "doctor", "play", "rules", "serve", "watch"):
        assert f"\n    {command}" in help_text


def test_help_of_a_group_lists_its_commands(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["config", "--help"]) == ExitCode.DONE
    assert "show the settings" in capsys.readouterr().out


def test_help_of_a_command_begins_with_its_examples(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["config", "show", "--help"]) == ExitCode.DONE
    assert capsys.readouterr().out.startswith("Examples:\n  passing config show")


def test_help_of_a_command_without_examples_begins_with_its_usage(
    add_command: AddCommand, capsys: pytest.CaptureFixture[str]
) -> None:
    add_command("extra", module("return 0"))
    assert main(["extra", "--help"]) == ExitCode.DONE
    assert capsys.readouterr().out.startswith("usage: passing extra")


@pytest.mark.parametrize("words", [["--help"], ["--version"], ["config", "--help"]])
def test_help_imports_nothing_heavy(words: list[str]) -> None:
    program = f"""
import sys
from passing_client.command import main
from passing_client.language import LANGUAGES
main({words!r})
print(*sorted(set({HEAVY!r}) & set(sys.modules)), file=sys.stderr)
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stderr.split() == []


def test_a_command_that_is_called_is_the_only_one_imported(
    add_command: AddCommand, tmp_path: Path
) -> None:
    add_command("one", module("return 0"))
    add_command("two", f"open({str(tmp_path / 'imported')!r}, 'w').close()\n" + module("return 0"))
    assert main(["one"]) == ExitCode.DONE
    assert not (tmp_path / "imported").exists()
    assert main(["two"]) == ExitCode.DONE
    assert (tmp_path / "imported").exists()


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == ExitCode.DONE
    assert capsys.readouterr().out.startswith("passing 0.")


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_help_of_help_and_of_the_version_is_in_the_language_that_is_spoken(
    code: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PASSING_LANG", code)
    assert main(["--help"]) == ExitCode.DONE
    lines = capsys.readouterr().out.splitlines()
    told = next(line for line in lines if line.startswith("  --version"))
    assert ("show program's version" in told) == (code == "en")
    assert any(line.startswith("  -h, --help") for line in lines)


# --- finding a command ---------------------------------------------------------------------


@pytest.mark.parametrize("words", [[], ["config"], ["bot"]])
def test_no_command_is_a_fault_of_usage_that_shows_the_help(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == ExitCode.USAGE
    output = capsys.readouterr()
    assert output.out == ""
    assert "commands:" in output.err


@pytest.mark.parametrize(
    "words", [["paly"], ["config", "shwo"], ["rules", "--loud"], ["rules", "more"], ["--loud"]]
)
def test_unknown_words_are_a_fault_of_usage(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == ExitCode.USAGE
    assert words[-1] in capsys.readouterr().err


def test_a_third_party_adds_a_command(
    add_command: AddCommand, capsys: pytest.CaptureFixture[str]
) -> None:
    add_command("extra", module("print(arguments.word)\nreturn 5", "parser.add_argument('word')"))
    assert main(["extra", "hello"]) == ExitCode.CHECK_FAILED
    assert capsys.readouterr().out == "hello\n"


def test_commands_nest_as_deep_as_their_dots(
    add_command: AddCommand, capsys: pytest.CaptureFixture[str]
) -> None:
    add_command("far.away.land", module("print('there')\nreturn 0"))
    assert main(["far", "away", "land"]) == ExitCode.DONE
    assert capsys.readouterr().out == "there\n"


def test_a_command_may_have_commands_below_it(
    add_command: AddCommand, capsys: pytest.CaptureFixture[str]
) -> None:
    state = "parser.add_argument('--state')"
    add_command("extra", module("print('above', arguments.state)\nreturn 0", state))
    add_command("extra.more", module("print('below', arguments.state)\nreturn 0"))
    assert main(["extra", "--state", "x"]) == ExitCode.DONE
    assert main(["extra", "--state", "y", "more"]) == ExitCode.DONE
    assert capsys.readouterr().out == "above x\nbelow y\n"
    main(["extra", "--help"])
    assert "[COMMAND] ..." in capsys.readouterr().out


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("import no_such_module_anywhere", "No module named 'no_such_module_anywhere'"),
        ("1 / 0", "division by zero"),
        ("HELP = 'nothing but help'", "is no command module"),
    ],
)
def test_a_command_that_cannot_be_loaded_says_why_and_spoils_no_other(
    source: str, reason: str, add_command: AddCommand, capsys: pytest.CaptureFixture[str]
) -> None:
    add_command("broken.here", source)
    assert main(["broken", "here", "--anything"]) == ExitCode.UNEXPECTED
    error = capsys.readouterr().err
    assert error.startswith("passing: The command `passing broken here` cannot be ")
    assert reason in error
    assert error.count("\n") == 1
    assert main(["--help"]) == main(["broken", "--help"]) == ExitCode.DONE
    assert "cannot be loaded here" in capsys.readouterr().out


# --- how a command ends --------------------------------------------------------------------


@pytest.mark.parametrize("code", [code for code in ExitCode if code is not ExitCode.DONE])
def test_a_command_that_fails_gives_its_sentence_and_its_code(
    code: ExitCode, add_command: AddCommand, capsys: pytest.CaptureFixture[str]
) -> None:
    body = f"""\
    from passing_link.exits import CommandFailed, ExitCode
    raise CommandFailed(ExitCode.{code.name}, "It did not work.")
    """
    add_command("extra", module(body))
    assert main(["extra"]) == code
    assert capsys.readouterr() == ("", "passing: It did not work.\n")


@pytest.mark.parametrize(
    ("error", "named"), [("KeyError('tile')", "KeyError: 'tile'"), ("OSError()", "OSError.")]
)
def test_an_unexpected_error_is_one_sentence(
    error: str, named: str, add_command: AddCommand, capsys: pytest.CaptureFixture[str]
) -> None:
    add_command("extra", module(f"raise {error}"))
    assert main(["extra"]) == ExitCode.UNEXPECTED
    sentence = capsys.readouterr().err
    assert named in sentence
    assert "PASSING_DEBUG=1" in sentence
    assert sentence.count("\n") == 1


def test_an_unexpected_error_shows_its_traceback_when_asked_to(
    add_command: AddCommand,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PASSING_DEBUG", "1")
    add_command("extra", module("raise KeyError('tile')"))
    assert main(["extra"]) == ExitCode.UNEXPECTED
    assert "Traceback (most recent call last)" in capsys.readouterr().err


def test_ctrl_c_ends_quietly(add_command: AddCommand, capsys: pytest.CaptureFixture[str]) -> None:
    add_command("extra", module("raise KeyboardInterrupt"))
    assert main(["extra"]) == ExitCode.INTERRUPTED
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize("words", [["rules"], ["--help"]])
def test_a_reader_that_left_is_no_error(words: list[str]) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "w") as output:
        done = subprocess.run(
            [sys.executable, "-m", "passing_client", *words],
            stdout=output,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.stderr == ""
    assert done.returncode == ExitCode.DONE


@pytest.mark.parametrize("buffered", ["", "1"])
@pytest.mark.parametrize("words", ["rules", "--help", "play --help", "config show"])
def test_an_output_that_takes_nothing_more_is_told(words: str, buffered: str) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "passing_client", *words.split()],
            env={**os.environ, "PYTHONUNBUFFERED": buffered},
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.stderr == "passing: The output cannot be written: No space left on device.\n"
    assert done.returncode == ExitCode.UNEXPECTED


def test_nobody_is_told_where_even_the_last_sentence_cannot_be_written() -> None:
    with Path("/dev/full").open("w") as full:
        command = [sys.executable, "-m", "passing_client", "play", "--seats", "2"]
        done = subprocess.run(command, stdout=full, stderr=full, check=False)
    assert done.returncode == ExitCode.USAGE


def test_c48_a_sentence_has_nothing_that_a_terminal_obeys(
    add_command: AddCommand, capsys: pytest.CaptureFixture[str]
) -> None:
    body = """\
    from passing_link.exits import CommandFailed, ExitCode
    raise CommandFailed(ExitCode.REFUSED, "It said: \\x1b[2J\\x9b1m\\r\\n\\u202eho\\u0394.")
    """
    add_command("extra", module(body))
    assert main(["extra"]) == ExitCode.REFUSED
    assert capsys.readouterr().err == "passing: It said: ho\u0394.\n"


@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_letters_that_the_terminal_lacks_are_replaced(stream: str, add_command: AddCommand) -> None:
    add_command("extra", module(f"import sys\nprint('\u0394ana', file=sys.{stream})\nreturn 0"))
    path = os.pathsep.join(sys.path)
    done = passing("extra", PYTHONIOENCODING="ascii", PYTHONPATH=path)
    assert done.returncode == ExitCode.DONE
    assert getattr(done, stream) == "?ana\n"


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_a_standard_stream_that_is_closed_is_as_good_as_empty(
    closed: str, add_command: AddCommand
) -> None:
    """And what is opened later is not taken for it: here the number of the next file tells."""
    body = """\
    import os, sys
    print("out", flush=True)
    print("err", file=sys.stderr, flush=True)
    return 0 if sys.stdin.read() == "" and os.open(".", os.O_RDONLY) > 2 else 1
    """
    add_command("extra", module(body))
    words = f'exec "$0" -m passing_client extra {closed}'
    done = subprocess.run(
        ["sh", "-c", words, sys.executable],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == ExitCode.DONE
    assert done.stdout == ("" if " >&-" in f" {closed}" else "out\n")
    assert done.stderr == ("" if "2>&-" in closed else "err\n")


def test_another_broken_pipe_is_unexpected(
    add_command: AddCommand, capsys: pytest.CaptureFixture[str]
) -> None:
    add_command("extra", module("raise BrokenPipeError('to the server')"))
    assert main(["extra"]) == ExitCode.UNEXPECTED
    assert "BrokenPipeError: to the server" in capsys.readouterr().err


def test_the_process_ends_with_the_commands_code() -> None:
    assert passing("rules").returncode == ExitCode.DONE
    assert passing("no-such-command").returncode == ExitCode.USAGE
    done = passing("config", "show", PASSING_PACE="slow")
    assert done.returncode == ExitCode.USAGE
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("ended", ["</dev/null", "<&-"])
def test_a_player_without_a_keyboard_is_told_why_it_ends(ended: str) -> None:
    words = f'exec "$0" -m passing_client play --bots 1 --plain --name Dana {ended}'
    done = subprocess.run(
        ["sh", "-c", words, sys.executable], capture_output=True, text=True, check=False
    )
    assert done.returncode == ExitCode.DONE
    assert done.stderr == ""
    last = done.stdout.splitlines()[-1]
    assert last == "The input is at its end and nothing more can be typed, so you leave."


def test_a_watcher_without_standard_input_sees_the_match() -> None:
    words = 'exec "$0" -m passing_client watch --bots 2 --target 5 --seed 7 --plain <&-'
    done = subprocess.run(
        ["sh", "-c", words, sys.executable], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (ExitCode.DONE, "")
    assert done.stdout.splitlines()[-1].startswith("Final scores: ")


def test_a_name_that_the_terminal_cannot_write_kills_no_client() -> None:
    words = ("--bots", "1", "--name", "\u0394ana", "--plain")
    done = passing("play", *words, PYTHONIOENCODING="ascii")
    assert (done.returncode, done.stderr) == (ExitCode.DONE, "")
