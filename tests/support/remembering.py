"""An engine that cheats by memory: it has met the deal before, from the other seat.

As long as nothing that it remembers helps, it plays as GreedyEngine does. A league in which it
gains anything shows the same deal twice to one program. Two ways to start it, both by
`passing bot run`: `tests.support.remembering:Remembering` remembers in its process,
`tests.support.remembering:Sharing` in a file of the folder that TMPDIR names, for all processes
that find the same folder there.

At tables of two, that is. A memory is trusted once chance is too unlikely to explain how well it
fits what lies on the table; then every action is tried out, to the end of the round, with the
other hand and as much of the boneyard as is known.
"""

import os
import random
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Final

from passing_bots import Action, Draw, Engine, MatchStart, RoundStart, Tile, TurnView
from passing_bots.engines.greedy import GreedyEngine
from passing_protocol.events import RoundEnded
from passing_rules import (
    ALL_TILES,
    Deal,
    Ending,
    IllegalAction,
    InvalidDeal,
    Options,
    Round,
    score_round,
)
from passing_rules.masks import DRAW_CODE, PASS_CODE, action_of, code_of, indexes, tiles_of
from tests.support.memories import DECK, HAND, Course, Laid, Memories, Memory, mask_of, memory_of

TRUST: Final = 0.02
"""How many unrelated memories may be expected to fit as well as the one that is believed."""

SAMPLES: Final = 4
"""How many boneyards are tried, where a part of it is not known."""

ATTEMPTS: Final = 12
"""How often a boneyard is guessed for each before a memory is given up."""

OF_THIS_PROCESS: Final = Memories()


@cache
def of_all_processes(folder: str) -> Memories:
    return Memories(Path(folder) / "remembered.ndjson")


# --- from a memory to a deal ---------------------------------------------------------------------


def place(
    yard: list[int | None], places: Sequence[int], laid: Iterable[Laid], chance: random.Random
) -> None:
    """Put tiles that the other drew and played where it may have drawn them."""
    for each in laid:
        free = [place for place in places[: each.draws] if yard[place] is None]
        if free and each.tile not in yard:
            yard[chance.choice(free)] = each.tile


def boneyard_of(memory: Memory, hand: int, course: Course, chance: random.Random) -> list[Tile]:
    """Return a boneyard as it may be: what is known in its place, the rest by chance."""
    left = DECK & ~hand & ~memory.mine
    yard: list[int | None] = [None] * left.bit_count()
    for drawn in (memory.drawn, course.drawn):
        for number, tile in enumerate(drawn):
            yard[number] = tile if tile is not None else yard[number]
    places = [number for number, tile in enumerate(memory.drawn) if tile is None]
    places_now = [number for number, tile in enumerate(course.drawn) if tile is None]
    place(yard, places_now, [laid for laid in course.laid if left >> laid.tile & 1], chance)
    place(yard, places, [laid for laid in memory.laid if left >> laid.tile & 1], chance)
    kept = [Laid(index, len(places)) for index in indexes(memory.held & left)]
    place(yard, places, kept, chance)
    rest = [index for index in indexes(left) if index not in yard]
    chance.shuffle(rest)
    return [ALL_TILES[tile if tile is not None else rest.pop()] for tile in yard]


def round_of(
    memory: Memory, hand: int, course: Course, view: TurnView, chance: random.Random
) -> Round | None:
    """Return the round as it may stand now, None where the memory contradicts it."""
    hands = [tiles_of(memory.mine)] * 2
    hands[view.seat] = tiles_of(hand)
    for _ in range(ATTEMPTS):
        try:
            deal = Deal(tuple(hands), tuple(boneyard_of(memory, hand, course, chance)))
            round_ = Round(deal, view.leader, view.options.pass_circles)
            for record in view.records:
                round_.do(record.seat, record.action)
        except (IllegalAction, InvalidDeal, IndexError):
            continue
        if round_.ending is None and round_.hand(view.seat) == tuple(sorted(view.hand)):
            return round_
    return None


# --- trying out ----------------------------------------------------------------------------------

PIPS: Final = tuple(ALL_TILES[code >> 1].pips for code in range(DRAW_CODE))


def greedy_code(round_: Round) -> int:
    """Return what GreedyEngine does."""
    codes = round_.legal_codes()
    plays = [code for code in codes if code < DRAW_CODE]
    if plays:
        return max(plays, key=PIPS.__getitem__)
    return DRAW_CODE if DRAW_CODE in codes else PASS_CODE


def worth(round_: Round, code: int, seat: int, options: Options) -> int:
    """Return our points less the other's when both go on greedily after an action."""
    twin = round_.copy()
    twin.apply(code)
    while twin.ending is None:
        twin.apply(greedy_code(twin))
    out = twin.to_act if twin.ending is Ending.OUT else None
    score = score_round(options, twin.pips, out)
    if score.side is None:
        return 0
    return score.points if score.side == seat else -score.points


def best_action(rounds: Sequence[Round], view: TurnView, usual: Action) -> Action:
    """Return the action that is worth most over the rounds, the usual one among equals."""
    totals = {
        code: sum(worth(round_, code, view.seat, view.options) for round_ in rounds)
        for code in rounds[0].legal_codes()
    }
    most = max(totals.values())
    if totals[code_of(usual)] == most:
        return usual
    best = next(code for code, total in totals.items() if total == most)
    return action_of(best, view.ends is None)


# --- the engine ----------------------------------------------------------------------------------


class Remembering(Engine):
    """Play greedily, and with open cards in a deal that this process has met before."""

    def __init__(self, memories: Memories = OF_THIS_PROCESS) -> None:
        self.memories = memories
        self.recognised = 0
        """How many actions rested on a memory."""
        self._greedy = GreedyEngine()
        self._two = True
        self._dealt = 0
        self._hand = 0
        self._own_draws: dict[int, int] = {}
        self._last: tuple[TurnView, Action] | None = None

    def begin_match(self, match: MatchStart) -> None:
        self._two = match.options.seats == 2

    def begin_round(self, round_: RoundStart) -> None:
        self._dealt = self._hand = mask_of(round_.hand)
        self._own_draws = {}
        self._last = None

    def end_round(self, result: RoundEnded) -> None:
        if self._last is not None and self._two:
            view, chosen = self._last
            course = self._course(view)
            self.memories.add(memory_of(view, self._dealt, course, result, chosen))

    def choose(self, view: TurnView) -> Action:
        usual = self._greedy.choose(view)
        action = usual
        if self._two and self._dealt.bit_count() == HAND:
            self._note_draw(view)
            rounds = self._rounds(view)
            if rounds:
                self.recognised += 1
                action = best_action(rounds, view, usual)
        self._last = (view, action)
        return action

    def _course(self, view: TurnView) -> Course:
        return Course(view.seat, self._own_draws).follow(view.records)

    def _note_draw(self, view: TurnView) -> None:
        """Note the tile that has come into the hand since the last question."""
        hand = mask_of(view.hand)
        new = hand & ~self._hand
        self._hand = hand
        draws = [record for record in view.records if isinstance(record.action, Draw)]
        mine = [number for number, record in enumerate(draws) if record.seat == view.seat]
        if new and mine:
            self._own_draws[mine[-1]] = new.bit_length() - 1

    def _rounds(self, view: TurnView) -> list[Round]:
        """Return rounds as they may stand now, if there is a memory to believe in."""
        course = self._course(view)
        memories = self.memories.all()
        best = min(
            (memory for memory in memories if memory.fits(view.seat, view.leader, self._dealt)),
            key=lambda memory: memory.chance_after(course),
            default=None,
        )
        if best is None or best.chance_after(course) * len(memories) > TRUST:
            return []
        chance = random.Random(view.turn)
        made = [round_of(best, self._dealt, course, view, chance) for _ in range(SAMPLES)]
        return [round_ for round_ in made if round_ is not None]


class Sharing(Remembering):
    """Remember in a file of the folder that TMPDIR names, with all that find the same there."""

    def __init__(self) -> None:
        folder = os.environ.get("TMPDIR")
        super().__init__(OF_THIS_PROCESS if folder is None else of_all_processes(folder))
