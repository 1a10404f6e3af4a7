"""The process of a server is made fit for many connections, as far as it is let."""

import resource

import pytest

from passing_server.loop import prepare_process


@pytest.mark.parametrize("error", [ValueError("not allowed to raise maximum limit"), OSError(1)])
def test_a_limit_of_open_files_that_may_not_be_raised_is_left_as_it_is(
    monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def refuse(_resource: int, _limits: tuple[int, int]) -> None:
        raise error

    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    monkeypatch.setattr(resource, "setrlimit", refuse)
    prepare_process()
    assert resource.getrlimit(resource.RLIMIT_NOFILE) == before
