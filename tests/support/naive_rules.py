"""The rules once more, slowly: lists of tiles, written straight from the text of RULES.md.

An oracle for `passing_rules`. It shares no code with it but the tile as a value and the texts of
actions (`46<`, `46>`, `46`, `d`, `-`). Nothing here is fast, incremental or clever.
"""

from dataclasses import dataclass, field

from passing_rules import Tile


@dataclass
class NaiveRound:
    hands: list[list[Tile]]
    boneyard: list[Tile]
    leader: int
    circles: int
    train: list[tuple[int, int, int]] = field(default_factory=list[tuple[int, int, int]])
    """Left half, right half and the seat that played it, from left to right."""
    done: list[str] = field(default_factory=list[str])
    ending: str = ""

    @property
    def seats(self) -> int:
        return len(self.hands)

    @property
    def on_turn(self) -> int:
        return (self.leader + len(self.done)) % self.seats  # R2.1

    @property
    def ends(self) -> tuple[int, int]:
        return self.train[0][0], self.train[-1][1]

    def legal(self) -> list[str]:
        if self.ending:
            return []
        texts: list[str] = []
        for tile in sorted(self.hands[self.on_turn], key=str):
            if not self.train:
                texts.append(str(tile))
                continue
            left, right = self.ends
            if left in (tile.low, tile.high):
                texts.append(f"{tile}<")
            if right in (tile.low, tile.high):
                texts.append(f"{tile}>")
        if len(self.boneyard) > 2:
            texts.append("d")  # R2.3
        return [*texts, "-"]

    def refusal(self, seat: int, text: str) -> str:
        """The code of the refusal, empty where the action is legal."""
        if self.ending:
            return "round_over"
        if seat != self.on_turn:
            return "not_your_turn"
        if text in self.legal():
            return ""
        if text == "d":
            return "boneyard_floor"
        if text[:2] not in [str(tile) for tile in self.hands[seat]]:
            return "not_in_hand"
        return "end_needed" if self.train and len(text) == 2 else "does_not_fit"

    def act(self, text: str) -> str:
        """Carry out a legal action (`-t`: a pass on time) and return its record."""
        seat = self.on_turn
        record = text
        if text == "d":
            tile = self.boneyard.pop(0)
            self.hands[seat].append(tile)
            record = f"d{tile}"
        elif not text.startswith("-"):
            self._place(seat, text)
        self.done.append(record)
        self._end(seat)
        return record

    def _place(self, seat: int, text: str) -> None:
        tile = Tile.parse(text[:2])
        self.hands[seat].remove(tile)
        if not self.train:
            self.train.append((tile.low, tile.high, seat))
            return
        left, right = self.ends
        if text[2] == "<":
            outer = tile.high if tile.low == left else tile.low
            self.train.insert(0, (outer, left, seat))
        else:
            outer = tile.high if tile.low == right else tile.low
            self.train.append((right, outer, seat))

    def _end(self, seat: int) -> None:
        if not self.hands[seat]:
            self.ending = "out"  # R3.1
        elif self.done[-1].startswith("-"):
            last = self.done[-self.circles * self.seats :]
            if len(last) == self.circles * self.seats and all(t[0] == "-" for t in last):
                self.ending = "passed_out"  # R3.3
        elif self.train and self._nobody_fits() and (len(self.boneyard) == 2 or self._dead()):
            self.ending = "blocked"  # R3.2

    def _nobody_fits(self) -> bool:
        return not any(
            end in (tile.low, tile.high)
            for hand in self.hands
            for tile in hand
            for end in self.ends
        )

    def _dead(self) -> bool:
        left, right = self.ends
        return left == right and sum(left in halves[:2] for halves in self.train) == 7

    @property
    def passes(self) -> int:
        count = 0
        while count < len(self.done) and self.done[-count - 1].startswith("-"):
            count += 1
        return count

    @property
    def pips(self) -> list[int]:
        return [sum(tile.low + tile.high for tile in hand) for hand in self.hands]  # R4.1


@dataclass
class NaiveOptions:
    seats: int
    partners: bool
    target: int
    lead: str
    circles: int
    out_wins_ties: bool
    opponents: bool
    max_rounds: int | None

    def side(self, seat: int) -> int:
        return seat % 2 if self.partners else seat  # R1.4


@dataclass
class NaiveMatch:
    options: NaiveOptions
    scores: list[int] = field(default_factory=list[int])
    rounds: int = 0
    leader: int = 0
    winners: list[int] = field(default_factory=list[int])

    def __post_init__(self) -> None:
        self.scores = [0] * (2 if self.options.partners else self.options.seats)

    def next_leader(self, drawn: int) -> int:
        seats = self.options.seats
        if self.rounds == 0 or self.options.lead == "random":
            self.leader = drawn  # R1.5
        elif self.options.lead == "winner" and self.winners:
            while True:
                self.leader = (self.leader + 1) % seats
                if self.leader in self.winners:
                    break
        else:
            self.leader = (self.leader + 1) % seats  # R1.6
        return self.leader

    def score(self, played: NaiveRound) -> tuple[list[int], int]:
        """Score a finished round; return the winning seats and the points."""
        self.rounds += 1
        self.winners, points = self._worth(played)
        if self.winners:
            self.scores[self.options.side(self.winners[0])] += points
        return self.winners, points

    def _worth(self, played: NaiveRound) -> tuple[list[int], int]:
        pips = played.pips
        lowest = [seat for seat in range(played.seats) if pips[seat] == min(pips)]
        if self.options.out_wins_ties and [] in played.hands:
            lowest = [played.hands.index([])]
        if len({self.options.side(seat) for seat in lowest}) != 1:
            return [], 0  # R4.3
        winner = lowest[0]
        points = -pips[winner]
        for seat in range(played.seats):
            same_side = self.options.side(seat) == self.options.side(winner)
            if seat != winner and not (same_side and self.options.opponents):
                points += pips[seat]  # R4.2, R4.4
        return lowest, points

    @property
    def over(self) -> bool:
        return max(self.scores) >= self.options.target or self.rounds == self.options.max_rounds

    @property
    def winner(self) -> int | None:
        best = [side for side, score in enumerate(self.scores) if score == max(self.scores)]
        return best[0] if self.over and len(best) == 1 else None
