"""`passing config show` prints what is in force, in the form of a settings file."""

import tomllib
from pathlib import Path

import pytest

from passing_client.command import main
from passing_client.settings import ALLOWED, own_file
from passing_link.exits import ExitCode


def test_it_prints_a_settings_file(capsys: pytest.CaptureFixture[str]) -> None:
    own_file().parent.mkdir(parents=True)
    own_file().write_text('name = "Ann \\"the Train\\" Ö"\npace = 5\n', encoding="utf-8")
    assert main(["config", "show"]) == ExitCode.DONE
    printed = capsys.readouterr().out
    shown = tomllib.loads(printed)
    assert (shown["name"], shown["pace"]) == ('Ann "the Train" Ö', 5)
    assert "# server is not set" in printed
    assert set(shown) == set(ALLOWED) - {"profile", "server", "lang", "records_folder"}


def test_what_it_prints_can_be_used(capsys: pytest.CaptureFixture[str]) -> None:
    main(["config", "show", "--origin"])
    Path("passing.toml").write_text(capsys.readouterr().out, encoding="utf-8")
    assert main(["config", "show"]) == ExitCode.DONE


def test_it_says_where_each_came_from(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PASSING_NAME", "Bo")
    Path("passing.toml").write_text("bell = false\n")
    assert main(["config", "show", "--origin"]) == ExitCode.DONE
    origins = {
        line.split()[0].lstrip("#") or line.split()[1]: line.rpartition("# ")[2]
        for line in capsys.readouterr().out.splitlines()
    }
    assert tuple(origins) == tuple(ALLOWED)
    expected = {**dict.fromkeys(ALLOWED, "default"), "name": "PASSING_NAME", "bell": "passing.toml"}
    assert origins == expected


def test_a_bad_setting_is_one_sentence(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PASSING_BELL", "xx")
    assert main(["config", "show"]) == ExitCode.USAGE
    expected = "passing: PASSING_BELL: bell is 'xx' and has to be true or false.\n"
    assert capsys.readouterr() == ("", expected)
