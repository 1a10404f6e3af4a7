"""The shapes of the rules' vectors, read strictly from their files."""

from pathlib import Path

import msgspec

from passing_rules import Options

FOLDER = Path(__file__).parents[2] / "protocol" / "vectors" / "rules"


class Shape(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What every shape is: a value, with no field that nothing reads."""


class State(Shape, frozen=True):
    to_act: int | None
    ends: tuple[int, int] | None
    sizes: list[int]
    boneyard: int
    legal: list[str]


class Step(State, frozen=True):
    action: str

    @property
    def state(self) -> State:
        return State(self.to_act, self.ends, self.sizes, self.boneyard, self.legal)


class Result(Shape, frozen=True):
    ending: str
    pips: list[int]
    winners: list[int]
    side: int | None
    points: int
    scores: list[int]


class RoundVector(Shape, frozen=True):
    name: str
    options: Options
    deal: str
    leader: int
    start: State
    steps: list[Step]
    result: Result


class RoundVectors(Shape, frozen=True):
    rounds: list[RoundVector]


class PlayedRound(Shape, frozen=True):
    number: int
    drawn_leader: int | None
    leader: int
    deal: str
    actions: str
    result: Result


class MatchVector(Shape, frozen=True):
    options: Options
    rounds: list[PlayedRound]
    winner: int | None


class MatchVectors(Shape, frozen=True):
    matches: list[MatchVector]


class ScoreVector(Shape, frozen=True):
    options: Options
    pips: tuple[int, ...]
    out: int | None
    winners: tuple[int, ...]
    side: int | None
    points: int


class ScoreVectors(Shape, frozen=True):
    scores: list[ScoreVector]


class Refused(Shape, frozen=True):
    seat: int
    action: str
    code: str


class RefusalVector(Shape, frozen=True):
    name: str
    pass_circles: int
    deal: str
    leader: int
    actions: list[str]
    refused: list[Refused]


class RefusalVectors(Shape, frozen=True):
    refusals: list[RefusalVector]


class PerftVector(Shape, frozen=True):
    pass_circles: int
    deal: str
    leader: int
    actions: list[str]
    lines: list[int]
    ended: list[int]


class PerftVectors(Shape, frozen=True):
    perft: list[PerftVector]


def read_rounds() -> list[RoundVector]:
    data = (FOLDER / "rounds.json").read_bytes()
    return msgspec.json.decode(data, type=RoundVectors).rounds


def read_matches() -> list[MatchVector]:
    data = (FOLDER / "matches.json").read_bytes()
    return msgspec.json.decode(data, type=MatchVectors).matches


def read_scores() -> list[ScoreVector]:
    data = (FOLDER / "scoring.json").read_bytes()
    return msgspec.json.decode(data, type=ScoreVectors).scores


def read_refusals() -> list[RefusalVector]:
    data = (FOLDER / "refusals.json").read_bytes()
    return msgspec.json.decode(data, type=RefusalVectors).refusals


def read_perft() -> list[PerftVector]:
    data = (FOLDER / "perft.json").read_bytes()
    return msgspec.json.decode(data, type=PerftVectors).perft
