"""`passing completion` prints a script that knows every command."""

import shutil
import subprocess

import pytest
import shtab

from passing_client.command import main
from passing_client.commands.completion import SHELLS
from passing_link.exits import ExitCode

WORDS = ("completion", "config", "doctor", "rules", "--quiet", "--origin")


@pytest.mark.parametrize("shell", SHELLS)
def test_script_knows_the_commands(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", shell]) == ExitCode.DONE
    script = capsys.readouterr().out
    # tcsh's scripts know the words of the first level alone.
    assert all(word.lstrip("-") in script for word in WORDS if shell != "tcsh" or word in WORDS[:4])


def test_bash_takes_the_script_and_completes_with_it(capsys: pytest.CaptureFixture[str]) -> None:
    main(["completion", "bash"])
    script = capsys.readouterr().out
    asked = """
COMP_WORDS=(passing do) COMP_CWORD=1 COMP_LINE='passing do' COMP_POINT=10
function_name=$(complete -p passing | sed 's/.*-F \\([^ ]*\\).*/\\1/')
$function_name passing do passing
echo "${COMPREPLY[@]}"
"""
    bash = shutil.which("bash")
    assert bash is not None
    done = subprocess.run([bash, "-c", script + asked], capture_output=True, text=True, check=False)
    assert done.stdout.split() == ["doctor"], done.stderr


def test_an_unknown_shell_is_a_fault_of_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", "cmd"]) == ExitCode.USAGE
    assert "cmd" in capsys.readouterr().err


def test_every_shell_is_one_that_the_library_knows() -> None:
    assert set(SHELLS) <= set(shtab.SUPPORTED_SHELLS)
