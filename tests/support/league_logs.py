"""Leagues that were never played: settings, and logs as a league would have written them."""

import random
from collections.abc import Callable, Iterable, Sequence

from hypothesis import strategies as st

from passing_bots.league.log import (
    EngineOut,
    FaultKind,
    FaultNoted,
    GameOver,
    LeagueBegan,
    LeagueEvent,
    LeagueOver,
)
from passing_bots.league.plan import GameKey, games, seating
from passing_bots.league.settings import (
    EngineSettings,
    GameKind,
    LeagueRules,
    LeagueSettings,
)

SEED = "000102030405060708090a0b0c0d0e0f"
NAMES = ("greedy", "careful", "random", "a-b", "b.c", "Zoe")

Points = Callable[[GameKey], Sequence[int]]
"""Says what each side of a game scored."""


def league(
    *names: str,
    seats: int = 2,
    partners: bool = False,
    blocks: int = 3,
    game: GameKind = GameKind.ROUND,
    seed: str = SEED,
) -> LeagueSettings:
    """Settings of a league among engines of these names."""
    return LeagueSettings(
        name="spring",
        seed=seed,
        blocks=blocks,
        game=game,
        rules=LeagueRules(seats=seats, partners=partners),
        engines=tuple(EngineSettings(name=name, run="greedy") for name in names),
    )


@st.composite
def leagues(draw: st.DrawFn, most_blocks: int = 4) -> LeagueSettings:
    """Any small league: 2, 3 or 4 seats or partners, a few engines, a few blocks."""
    seats, partners = draw(st.sampled_from([(2, False), (3, False), (4, False), (4, True)]))
    least = 2 if partners else seats
    names = draw(st.lists(st.sampled_from(NAMES), min_size=least, max_size=5, unique=True))
    blocks = draw(st.integers(1, most_blocks))
    seed = draw(st.binary(min_size=16, max_size=16)).hex()
    return league(*names, seats=seats, partners=partners, blocks=blocks, seed=seed)


def began(settings: LeagueSettings) -> LeagueBegan:
    return LeagueBegan(settings, "passing-game 0")


def game_over(
    settings: LeagueSettings,
    key: GameKey,
    points: Sequence[int],
    forfeits: Iterable[str] = (),
    record: str | None = None,
) -> GameOver:
    """The event of a game, with the seats that the plan gives it."""
    return GameOver(
        pairing=key.pairing,
        block=key.block,
        rotation=key.rotation,
        engines=seating(settings, key),
        points=tuple(points),
        forfeits=tuple(forfeits),
        record=record,
    )


def fault(
    engine: str,
    key: GameKey,
    kind: FaultKind = FaultKind.NO_ANSWER,
    evidence: str = "3 strikes",
) -> FaultNoted:
    """The event of a fault that is the engine's own."""
    return FaultNoted(
        engine=engine,
        owner="player",
        kind=kind,
        evidence=evidence,
        pairing=key.pairing,
        block=key.block,
        rotation=key.rotation,
    )


def whole_log(settings: LeagueSettings, points: Points) -> list[LeagueEvent]:
    """A log in which every game was played to its end."""
    played = [game_over(settings, key, points(key)) for key in games(settings)]
    return [began(settings), *played, LeagueOver()]


def by_luck(settings: LeagueSettings, seed: int = 1, spread: int = 30) -> Points:
    """Points by chance, the same for the same game."""

    def points(key: GameKey) -> list[int]:
        chance = random.Random(f"{seed} {key}")
        return [chance.randrange(spread) for _ in range(settings.sides)]

    return points


def by_deal(settings: LeagueSettings, spread: int = 30) -> Points:
    """Points that hang on the deal and the side alone, as where one engine plays all sides."""

    def points(key: GameKey) -> list[int]:
        chance = random.Random(f"{key.pairing} {key.block}")
        return [chance.randrange(spread) for _ in range(settings.sides)]

    return points


@st.composite
def logs(draw: st.DrawFn, most_blocks: int = 4) -> list[LeagueEvent]:
    """Any log of a small league: games left out, forfeits, faults, engines that are out.

    What is in the games is drawn by chance of our own: so many draws would take long.
    """
    settings = draw(leagues(most_blocks))
    chance = random.Random(draw(st.integers(0, 2**32)))
    share, honest = draw(st.sampled_from([(1.0, 1.0), (1.0, 0.7), (0.8, 0.7), (0.0, 1.0)]))
    events: list[LeagueEvent] = [began(settings)]
    for key in games(settings):
        if chance.random() < share:
            events += _one_game(settings, key, chance, honest)
    names = [engine.name for engine in settings.engines]
    out = draw(st.sets(st.sampled_from(names)))
    events += [EngineOut(name, "5 faults") for name in out]
    played = {event.game for event in events if isinstance(event, GameOver)}
    whole = all(key in played or out & set(key.pairing) for key in games(settings))
    return [*events, LeagueOver()] if whole and draw(st.booleans()) else events


def _one_game(
    settings: LeagueSettings, key: GameKey, chance: random.Random, honest: float
) -> list[LeagueEvent]:
    """A game by chance, and the faults in it; `honest` is the share of engines without any."""
    points = [chance.randrange(90) for _ in range(settings.sides)]
    lost = [name for name in key.pairing if chance.random() > honest]
    record = chance.choice([None, f'[Event "{key}"]\n'])
    kinds, evidence = list(FaultKind), ["left", "3 strikes", "exit code 1"]
    faults = [fault(name, key, chance.choice(kinds), chance.choice(evidence)) for name in lost]
    return [*faults, game_over(settings, key, points, lost, record)]
