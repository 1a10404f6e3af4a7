"""No player makes an honest server look unfair to another, by false answers or by its name."""

import random
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from passing_protocol.contributing import Contributor, Heard
from passing_protocol.messages import (
    Bye,
    GiveLink,
    Invite,
    Request,
    ServerMessage,
    ShowTip,
    TipsOffered,
)
from passing_protocol.verdicts import Outcome, Reason
from passing_protocol.views import GameOptions, TableState
from tests.support.fair_table import FairTable
from tests.support.lan import counted_entropy

FALSE = "ab" * 32
GAME = GameOptions(seats=2, target=9_999, max_rounds=99)


class Impostor(Contributor):
    """Take part, but give false links (`lies`), or show the first seat's tip too (`copies`)."""

    lies = copies = False

    def __init__(self, seed: str) -> None:
        super().__init__(counted_entropy(seed))
        self._offered: TipsOffered | None = None

    def hear(self, message: ServerMessage) -> Heard:
        heard = super().hear(message)
        if isinstance(message, TipsOffered):
            self._offered = message
        requests = [told for asked in heard.requests for told in self._instead(asked)]
        return Heard(tuple(requests), heard.verdicts, heard.own)

    def _instead(self, asked: Request) -> Sequence[Request]:
        if not isinstance(asked, GiveLink):
            return (asked,)
        given = replace(asked, link=FALSE) if self.lies else asked
        offered = self._offered
        if not self.copies or offered is None:
            return (given,)
        tip = offered.seats[0]
        return (given, ShowTip(0, asked.table, asked.match, tip.base, tip.tip))


class ImpostorsTable(FairTable):
    """Anna plays honestly; at the other seat engines come and go."""

    def __init__(self, name: str) -> None:
        super().__init__("anna", game=GAME)
        self.chance = random.Random(1)
        self._lives = 0
        self._come(name)
        self.players[0].send(Invite(0, self.id, name))

    def _come(self, name: str) -> None:
        self._lives += 1
        bot = self.lan.fair_client(name, "bot")
        bot.contributor = Impostor(f"life {self._lives}")
        self.players.append(bot)

    @property
    def impostor(self) -> Impostor:
        contributor = self.players[1].contributor
        assert isinstance(contributor, Impostor)
        return contributor

    def change(self, name: str) -> None:
        """Let a new session take the seat, under the name that is given."""
        gone = self.players.pop()
        gone.send(Bye(0))
        self.lan.cut(gone)
        self._come(name)
        self.lan.pass_time(1_000)
        assert self.id in self.players[1].tables

    def next_round(self, *, lies: bool = False, copies: bool = False) -> None:
        self.impostor.lies, self.impostor.copies = lies, copies
        self.play_round(self.chance)
        assert self.state is TableState.BETWEEN

    def found(self) -> list[tuple[Outcome, Reason | None]]:
        return [(verdict.outcome, verdict.reason) for verdict in self.players[0].verdicts]


def test_who_shows_a_tip_of_anothers_gets_nobody_accused() -> None:
    table = ImpostorsTable("E")
    for _ in range(3):
        table.next_round(copies=True)
    assert table.found() == [(Outcome.CHECKED, None)] * 3


@pytest.mark.parametrize("others", ["E 2", "Zoe"])
def test_engines_of_one_name_get_nobody_accused(others: str) -> None:
    table = ImpostorsTable("E")
    for name in (None, others, "E", others, "E"):
        if name is not None:
            table.change(name)
        for _ in range(3):
            table.next_round(lies=name != others)
    assert table.found().count((Outcome.REDONE, Reason.ABSENT)) == 2
    assert {outcome for outcome, _ in table.found()} == {Outcome.CHECKED, Outcome.REDONE}


NEW = st.sampled_from([None, None, "E", "E 2"])
STEPS = st.tuples(NEW, st.sampled_from(["lies", "copies", "restarts", "is honest"]))


@settings(max_examples=20, deadline=None)
@given(st.lists(STEPS, max_size=10))
def test_whoever_comes_and_says_what_is_false_gets_nobody_accused(
    steps: list[tuple[str | None, str]],
) -> None:
    table = ImpostorsTable("E")
    table.next_round()
    for name, does in steps:
        if name is not None:
            table.change(name)
        if does == "restarts":
            table.lan.restart()
        table.next_round(lies=does == "lies", copies=does == "copies")
    assert Outcome.FAILED not in table.outcomes(table.players[0])
