"""Rounds between engines without a server or a table: on the rules' core alone, for measuring."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from passing_bots import Engine, TurnView
from passing_protocol.views import (
    RULES_VERSION,
    Acted,
    Ask,
    DealKind,
    Mine,
    PublicView,
    SeatInfo,
    SeatState,
    TableOptions,
    TableState,
    TrainTile,
    game_of,
)
from passing_protocol.wire import ActionMessage, action_message, tile_text
from passing_rules import ALL_TILES, Action, Deal, Ending, Options, Round, score_round

Seeds = Callable[[int], str]
"""Gives the seed of each seat's engine."""


def seeds_of(seed: str) -> Seeds:
    """Return seeds that differ by seat."""
    return lambda seat: f"{seed[:-1]}{seat}"


SEEDS = seeds_of("0" * 32)

_MESSAGES: dict[Action, ActionMessage] = {}


def message_of(action: Action) -> ActionMessage:
    message = _MESSAGES.get(action)
    if message is None:
        message = _MESSAGES[action] = action_message(action)
    return message


def view_of(round_: Round, options: Options, actions: Sequence[Acted], seed: str) -> TurnView:
    """Return what the seat on turn sees, built as a server builds it."""
    seat = round_.to_act
    left, right = round_.left, round_.right
    public = PublicView(
        match="m",
        rules=RULES_VERSION,
        name="arena",
        state=TableState.PLAYING,
        deal=DealKind.GIVEN,
        game=game_of(options),
        table=TableOptions(),
        owner=None,
        seats=[SeatInfo(SeatState.TAKEN, f"e{n}", "engine") for n in range(options.seats)],
        scores=[0] * options.sides,
        round=1,
        turn=len(actions) + 1,
        leader=round_.leader,
        to_act=seat,
        train=[TrainTile(tile_text(placed.tile), placed.seat) for placed in round_.train],
        ends=None if left is None or right is None else (left, right),
        hands=list(round_.hand_sizes),
        boneyard=round_.boneyard_size,
        drawable=round_.drawable,
        passes=round_.passes,
        actions=list(actions),
    )
    mine = Mine(seat, [tile_text(tile) for tile in round_.hand(seat)], bot_seed=seed)
    ask = Ask(len(actions) + 1, [message_of(action) for action in round_.legal_actions()])
    return TurnView(public, mine, ask, table="t", seed=seed)


@dataclass
class Played:
    """Hold how a round between engines went."""

    round: Round
    points: tuple[int, ...]
    """What each side scored."""
    actions: list[Action] = field(default_factory=list[Action])


def play_round(
    engines: Sequence[Engine],
    deal: Deal,
    leader: int,
    options: Options,
    seeds: Seeds = SEEDS,
) -> Played:
    round_ = Round(deal, leader, options.pass_circles)
    acted: list[Acted] = []
    chosen: list[Action] = []
    while round_.ending is None:
        seat = round_.to_act
        action = engines[seat].choose(view_of(round_, options, acted, seeds(seat)))
        round_.do(seat, action)
        chosen.append(action)
        acted.append(Acted(seat, len(acted) + 1, message_of(action)))
    out = round_.to_act if round_.ending is Ending.OUT else None
    score = score_round(options, round_.pips, out)
    points = [0] * options.sides
    if score.side is not None:
        points[score.side] = score.points
    return Played(round_, tuple(points), chosen)


def deal_of(number: int, options: Options) -> Deal:
    deck = list(ALL_TILES)
    random.Random(number).shuffle(deck)
    return Deal.from_deck(deck, options.seats)


def duplicate_margin(
    ours: Engine, theirs: Engine, options: Options, deals: range
) -> tuple[float, float]:
    """Return our mean points a round less theirs, per side, and the standard error.

    Each deal is played once from every seat: ours at one side, theirs at all others.
    """
    margins: list[float] = []
    for number in deals:
        deal = deal_of(number, options)
        total = 0.0
        for side in range(options.sides):
            engines = [
                ours if options.side_of(seat) == side else theirs for seat in range(options.seats)
            ]
            points = play_round(engines, deal, number % options.seats, options).points
            others = sum(points) - points[side]
            total += points[side] - others / (options.sides - 1)
        margins.append(total / options.sides)
    mean = sum(margins) / len(margins)
    variance = sum((margin - mean) ** 2 for margin in margins) / (len(margins) - 1)
    return mean, (variance / len(margins)) ** 0.5
