"""The list of those who may come in, in words."""

from passing_protocol.messages import ClientInfo
from passing_server.remembered import all_revoked_lines, client_lines


def test_a_client_is_told_with_its_role_its_day_and_its_connections() -> None:
    clients = [ClientInfo("k" * 40, "Ann", "player", 0, number) for number in range(3)]
    assert list(client_lines(clients)) == [
        "Ann: player, since 1970-01-01, key kkkkkkkk",
        "Ann: player, since 1970-01-01, key kkkkkkkk, 1 connection now",
        "Ann: player, since 1970-01-01, key kkkkkkkk, 2 connections now",
    ]


def test_of_none_it_is_told_how_they_come() -> None:
    (line,) = client_lines([])
    assert "`passing serve invite`" in line


def test_of_all_it_is_told_how_many_they_were_and_which_codes_are_new() -> None:
    lines = list(all_revoked_lines(12, None))
    assert lines[0] == "12 clients may come in no more."
    for line, role in zip(lines[1:], ("player", "spectator", "bot"), strict=True):
        assert f"`passing serve invite --role {role}`" in line


def test_of_all_of_a_role_no_other_code_is_told() -> None:
    first, code = all_revoked_lines(1, "bot")
    assert first == "1 client may come in no more (bot)."
    assert "`passing serve invite --role bot`" in code
