"""The list of those who may come in, in words."""

from passing_protocol.messages import ClientInfo
from passing_server.remembered import client_lines


def test_a_client_is_told_with_its_role_its_day_and_its_connections() -> None:
    clients = [ClientInfo("k" * 40, "Ann", "player", 0, number) for number in range(3)]
    assert list(client_lines(clients)) == [
        "Ann: player, since 1970-01-01",
        "Ann: player, since 1970-01-01, 1 connection now",
        "Ann: player, since 1970-01-01, 2 connections now",
    ]


def test_of_none_it_is_told_how_they_come() -> None:
    (line,) = client_lines([])
    assert "`passing serve invite`" in line
