"""The page of servers that were found: which there are, which is chosen, and what to do without."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from passing_client.screen.drawing import draw
from passing_client.screen.scene import Page
from passing_client.server_board import ServerBoard
from passing_link.address import Address
from passing_link.exits import ExitCode
from passing_link.finding import Found
from tests.client.screen.endings import HOSTILE_NAMES, SIZES, check_size, texts
from tests.support.screen_talk import ScreenTalk
from tests.support.servers_found import KEY, here, server_found

DEN = server_found("den", "192.168.1.20")
LAB = server_found("lab", "192.168.1.21", 4000)
NAS = server_found("nas", "fe80::1%eth0")


def looking(*found: Found, is_done: bool = True) -> ScreenTalk:
    board = ServerBoard(list(found), is_done)
    talk = ScreenTalk(starting="Looking ...", board=board)
    board.changed = talk.controller.found
    talk.controller.found()
    talk.passes()
    return talk


def board_of(talk: ScreenTalk) -> ServerBoard:
    assert talk.scene.servers is not None
    return talk.scene.servers


def lines(talk: ScreenTalk, columns: int = 80, rows: int = 24) -> list[str]:
    return [text.rstrip() for text in texts(draw(talk.scene, columns, rows))]


# --- what is shown


def test_every_server_has_its_place_and_what_goes_on_there() -> None:
    talk = looking(DEN, LAB)
    assert talk.scene.page is Page.SERVERS
    talk.passes(2_000)
    talk.controller.tick()
    shown = lines(talk)
    assert shown[0].startswith(" Passing Game · servers on this network")
    assert shown[0].endswith("2 servers · 0:02")
    assert [row.split() for row in shown[2:5]] == [
        ["name", "address", "tables", "free", "seats", "people"],
        ["►", "den", "192.168.1.20", "2", "3", "4"],
        ["lab", "192.168.1.21:4000", "2", "3", "4"],
    ]
    assert "den at 192.168.1.20: 2 tables, 3 seats free; 4 people, 1 engine; not" in "\n".join(
        shown
    )


def test_whether_a_server_encrypts_is_told() -> None:
    encrypted = Found(DEN.address, replace(here(), key=KEY))
    assert "1 engine; encrypted, and you need its code." in " ".join(
        " ".join(lines(looking(encrypted))).split()
    )


def test_a_server_that_speaks_another_version_is_told_as_such() -> None:
    newer = Found(DEN.address, replace(here(), versions=(7, 9)))
    assert "it speaks version 7 to 9 of the protocol" in " ".join(
        " ".join(lines(looking(newer))).split()
    )


def test_without_a_server_it_says_so_after_a_while_and_what_to_do() -> None:
    talk = looking(is_done=False)
    assert "Looking ..." in "\n".join(lines(talk))
    board_of(talk).done()
    text = " ".join(" ".join(lines(talk)).split())
    assert "No server answers on this network, on port 28066." in text
    assert "passing play HOST" in text
    assert "n plays with engines, / goes to an address." in text


@pytest.mark.parametrize(("columns", "rows"), SIZES)
@pytest.mark.parametrize("found", [(), (DEN,), (DEN, LAB, NAS), (DEN,) * 40])
def test_every_size_is_filled(found: tuple[Found, ...], columns: int, rows: int) -> None:
    check_size(draw(looking(*found).scene, columns, rows), columns, rows)


@settings(max_examples=25)
@given(
    st.lists(st.sampled_from(HOSTILE_NAMES), max_size=30),
    st.sampled_from(SIZES),
    st.integers(0, 40),
)
def test_any_names_fit(names: list[str], size: tuple[int, int], row: int) -> None:
    hosts = [f"10.0.0.{number}" for number in range(1, 31)]
    found = [server_found(name, host) for name, host in zip(names, hosts, strict=False)]
    talk = looking(*found)
    talk.scene.row = row
    check_size(draw(talk.scene, *size), *size)


# --- what keys do


def test_the_chosen_server_is_gone_to() -> None:
    talk = looking(DEN, LAB)
    talk.press("down", "enter")
    assert board_of(talk).choice == LAB.address
    assert talk.conversation.desk.over is ExitCode.DONE


def test_a_number_chooses_and_arrows_go_round() -> None:
    talk = looking(DEN, LAB, NAS)
    talk.press("3")
    assert talk.scene.row == 2
    talk.press("down")
    assert talk.scene.row == 0
    talk.press("up", "9")
    assert talk.scene.row == 2


def test_a_server_stays_chosen_while_others_come_and_go() -> None:
    talk = looking(DEN, NAS)
    talk.press("down")
    board_of(talk).take([DEN, LAB, NAS])
    assert talk.scene.row == 2
    board_of(talk).take([NAS])
    talk.press("enter")
    assert board_of(talk).choice == NAS.address


def test_the_row_of_one_that_is_gone_is_that_of_its_neighbour() -> None:
    talk = looking(DEN, LAB)
    talk.press("down")
    board_of(talk).take([DEN])
    assert talk.scene.row == 0
    board_of(talk).take([])
    talk.press("enter")
    assert board_of(talk).choice is None
    assert talk.conversation.desk.over is None


def test_an_address_is_typed() -> None:
    talk = looking(DEN)
    talk.press("/", *"den.local:4000", "enter")
    assert board_of(talk).choice == Address("den.local", 4000)
    assert talk.conversation.desk.over is ExitCode.DONE


def test_what_is_no_address_stays_and_it_is_said_why() -> None:
    talk = looking()
    talk.press("/", *"den:0", "enter")
    assert board_of(talk).choice is None
    assert talk.scene.typed == "/den:0"
    assert "port 0 is not from 1 to 65535" in talk.scene.flash
    talk.press("escape")
    assert talk.scene.typed == ""


@pytest.mark.parametrize("found", [(), (DEN,)])
def test_a_private_table_is_offered_always(found: tuple[Found, ...]) -> None:
    talk = looking(*found)
    talk.press("n")
    assert board_of(talk).private
    assert talk.conversation.desk.over is ExitCode.DONE


@pytest.mark.parametrize("key", ["q", "f10"])
def test_it_can_be_left(key: str) -> None:
    talk = looking(DEN)
    talk.press(key)
    assert talk.conversation.desk.over is ExitCode.DONE
    assert board_of(talk).choice is None
    assert not board_of(talk).private
