"""Texts that are no right records, made from right ones, each with its first wrong piece marked."""

from dataclasses import dataclass
from typing import Final

from passing_protocol.records import ChangeKind, SeatChange, parse, seen_by, write
from passing_rules import Lead, Match, Options, Pass, parse_action
from tests.support.records import OPEN, WHOLE, plain_record
from tests.support.rules_deals import FLOOR, FLOOR_DEAL, deal_with

MARK: Final = "^"


def partners_match() -> Match:
    """Partners who passed a first round out, in their second."""
    match = Match(Options.of(4, partners=True, lead=Lead.WINNER, target=500, max_rounds=3))
    match.begin_round(deal_with("00 01", "55 66", "02 03", ""), 1)
    for seat in (1, 2, 3, 0):
        match.do(seat, Pass(), timed_out=seat == 3)
    match.begin_round(deal_with("", "", "", ""))
    match.do(0, Pass())
    return match


def floor_match() -> Match:
    """A round that a play with two tiles left in the boneyard blocks."""
    match = Match(Options.of(2, max_rounds=1))
    match.begin_round(FLOOR_DEAL, 0)
    for number, text in enumerate(["d"] * 12 + FLOOR.split()):
        match.do(number % 2, parse_action(text))
    return match


def forfeit_match() -> Match:
    """A match of three whose seat 1 was lost in the first round, in their second."""
    match = Match(Options.of(3, target=500, max_rounds=2))
    match.begin_round(deal_with("00 01", "55 66", "02 03"), 0)
    for seat in (0, 1, 2):
        match.do(seat, Pass(), timed_out=seat == 1)
    match.begin_round(deal_with("", "", ""))
    match.do(1, Pass(), timed_out=True)
    match.do(2, Pass())
    return match


def shown_later(text: str) -> str:
    """The public view of a record, while its hands stay hidden."""
    return write(seen_by(record, None, hidden_after_end=True) for record in parse(text))


PARTNERS: Final = write([plain_record(partners_match())])
LOST: Final = write(
    [plain_record(forfeit_match(), changes={1: [SeatChange(1, 1, ChangeKind.FORFEIT, "left")]})]
)
UNDEALT: Final = OPEN[: OPEN.index("\nround 1")]
FLOORED: Final = write([plain_record(floor_match())])
HIDDEN: Final = shown_later(WHOLE)
SEATED: Final = write(seen_by(record, 1) for record in parse(OPEN))
END: Final = WHOLE[WHOLE.index("end blocked") :]
GONE_TOO: Final = '{after 2 seat 2 forfeit "x"}\n'
CUT: Final = f"{GONE_TOO}end unfinished\n"
"""The end of `LOST` where seat 2 is lost too: seat 0 alone is left."""
NOTHING_LEFT: Final = "left 0 = 0\nleft 1 = 0\nleft 2 = 0\nwon nobody score 0 0 21"


@dataclass(frozen=True)
class Bad:
    """A right text in which one part is replaced.

    The first wrong piece is after the mark or, where what is put has none, the place of `at`.
    """

    name: str
    base: str
    instead: str
    put: str
    told: str
    at: str = ""

    @property
    def text(self) -> str:
        return self._edited.replace(MARK, "", 1)

    @property
    def offset(self) -> int:
        return len(self._edited.partition(MARK)[0].encode())

    @property
    def _edited(self) -> str:
        assert self.base.count(self.instead) == 1, (self.name, self.base.count(self.instead))
        edited = self.base.replace(self.instead, self.put)
        if self.at:
            assert edited.count(self.at) == 1, self.name
            edited = edited.replace(self.at, MARK + self.at)
        assert edited.count(MARK) == 1, self.name
        return edited


SYNTAX: Final = (
    Bad("text before", WHOLE, "[Game ", "^hello [Game ", "expected [, found 'hello'"),
    Bad("no game first", WHOLE, '[Game "The Passing Game"]\n[R', "[^R", "expected the tag Game"),
    Bad("another game", WHOLE, '"The Passing', '^"The Missing', "allowed is The Passing Game"),
    Bad("another version", WHOLE, '[Record "1"]', '[Record ^"2"]', "Record: '2', allowed is 1"),
    Bad("a tag without a name", WHOLE, "[Event ", "[^", "expected the name of a tag"),
    Bad("a tag without quotes", WHOLE, '"kitchen"', "^kitchen", "a text between quotes"),
    Bad("an open quote", WHOLE, '"kitchen"]', '"kitchen]^', "or the closing quote"),
    Bad("a wrong escape", WHOLE, '"kitchen"', '"kit^\\chen"', "or the closing quote"),
    Bad("a tag not closed", WHOLE, '"kitchen"]', '"kitchen"^', "expected ], found nothing"),
    Bad("more after a tag", WHOLE, '"kitchen"]', '"kitchen"] ^x', "the end of the line"),
    Bad("a tag twice", WHOLE, '[View "full"]', '[^Event "x"]', "Event is there already"),
    Bad("a missing tag", WHOLE, '[Seat0 "Dana"]\n', "", "expected the tag Seat0", at="round 1"),
    Bad("a bad date", WHOLE, '"2026.11.30"', '^"2026.11.32"', "Date: '2026.11.32'"),
    Bad("too high a target", WHOLE, '"101"', '^"10000"', "Target: '10000', allowed is 1 to 9999"),
    Bad("two as partners", WHOLE, '"single"', '^"partners"', "Mode: partners with 2 seats"),
    Bad("a seat too many", WHOLE, '[Seat1 "', '[^Seat2 "x"]\n[Seat1 "', "Seat2: the seats are"),
    Bad("a view of nobody", WHOLE, '"full"', '^"seat 2"', "View: seat 2, the seats are 0 to 1"),
    Bad("no round", WHOLE, "round 1", "^lap 1", "round, match, the proof or the next game"),
    Bad("no number", WHOLE, "round 1", "round ^one", "the number of the round"),
    Bad("a leading zero", WHOLE, "round 1", "round ^01", "number of the round"),
    Bad("a number without end", WHOLE, "round 1 ", f"round ^{'9' * 5000} ", "of the round"),
    Bad("a leader without seat", WHOLE, "lead 1", "lead ^2", "a seat from 0 to 1"),
    Bad("a score too few", WHOLE, "lead 1  score 0 0", "lead 1  score 0^", "score of side 1"),
    Bad("a score too many", WHOLE, "lead 1  score 0 0", "lead 1  score 0 0 ^0", "end of the line"),
    Bad("hands out of order", WHOLE, "hand 0", "hand ^1", "expected hand 0, found '1'"),
    Bad("a hand too small", WHOLE, "02 05 13 14", '02 05 13 ^"', "expected a tile or ??"),
    Bad("a hand too large", WHOLE, '  "Dana"', ' ^66  "Dana"', "expected a text between quotes"),
    Bad("no tile", WHOLE, "02 05 13 14", "02 ^07 13 14", "expected a tile or ??, found '07'"),
    Bad("tiles run together", WHOLE, "02 05 13 14", "02 ^0513 14", "expected a tile or ??"),
    Bad("half a tile unknown", WHOLE, "02 05 13 14", "02 ^0? 13 14", "expected a tile or ??"),
    Bad("no bar in the yard", WHOLE, "03 | 33", "03 ^33", "expected |, found '33'"),
    Bad("the bar too early", WHOLE, "12 03 | 33", "12 ^| 03 33", "expected a tile or ??"),
    Bad("a yard too large", WHOLE, "| 33 46", "| 33 46 ^00", "expected the end of the line"),
    Bad("seats out of order", WHOLE, "seat   1    0", "seat   ^0    1", "expected seat 1"),
    Bad("laps out of order", WHOLE, "   2.  15>", "   ^3.  15>", "expected 2. or end"),
    Bad("no lap", WHOLE, "   2.  15>", "   ^15>", "expected 2. or end"),
    Bad("an empty lap", WHOLE, "   2.  15>  05>", "   2.^", "expected an action"),
    Bad("a lap that is not whole", WHOLE, "15>  05>\n   3", "15>\n   ^3", "is not whole"),
    Bad("a lap too long", WHOLE, "15>  05>", "15>  05>  ^-", "expected the end of the line"),
    Bad("an unknown action", WHOLE, "d66", "^d6", "expected an action, found 'd6'"),
    Bad("a wrong mark", WHOLE, "15>", "15^=", "expected an action"),
    Bad("a pass of its own", WHOLE, "-t", "^-x", "expected an action, found '-x'"),
    Bad("an unknown end", WHOLE, "end blocked", "end ^over", "expected out or blocked"),
    Bad("no hand left", WHOLE, "left 0  26 44 66 = 28\n", "", "expected left 0", at="1  00 16"),
    Bad("no pips", WHOLE, "66 = 28", "66 ^28", "expected a tile, ?? or ="),
    Bad("pips below nothing", WHOLE, "66 = 28", "66 = ^-28", "expected the pips"),
    Bad("no points", WHOLE, "won 1 +21", "won 1 ^score", "expected a higher number or +"),
    Bad("winners out of order", PARTNERS, "won 0 +94", "won 2 ^0 +94", "a higher number or +"),
    Bad("points without a number", WHOLE, "+21", "^+x", "expected + and the points"),
    Bad("a winner without seat", WHOLE, "won 1 +21", "won ^2 +21", "a seat or nobody from 0 to 1"),
    Bad("nobody with points", WHOLE, "won 1 +21", "won nobody ^+21", "expected score"),
    Bad("an unknown end of a match", WHOLE, "match max", "match ^min", "expected target or"),
    Bad("a target drawn", WHOLE, "max_rounds  won 1", "target  ^drawn", "expected won"),
    Bad("a forfeit of nobody", WHOLE, "max_rounds  won 1", "forfeit ^won 1", "expected a seat"),
    Bad("forfeits out of order", WHOLE, "max_rounds", "forfeit 1 ^0", "higher number or won"),
    Bad("a side too many", PARTNERS, "unfinished\n", "unfinished\nmatch forfeit 0 won ^2", "side"),
    Bad("a game after its end", WHOLE, "won 1\n", "won 1\n^round 2", "expected the proof or"),
    Bad(
        "a round after none", OPEN, "end unfinished", "end unfinished\n^round 3", "match, the proof"
    ),
    Bad("a change without end", OPEN, '0.1"}', '0.1"^', "expected }, found nothing more"),
    Bad("a change too early", OPEN, "{after 3", "{after ^4", "number of an action from 0 to 3"),
    Bad("an unknown change", OPEN, "engine", "^robot", "expected engine or player or forfeit"),
    Bad("a change of nobody", OPEN, "3 seat 0", "3 seat ^3", "a seat from 0 to 2"),
    Bad("no end", OPEN, "end unfinished\n", "^", "expected 4. or end, found nothing more"),
)

RULES: Final = (
    Bad("a round before the first", WHOLE, "round 1", "round ^2", "round 2, expected 1"),
    Bad(
        "a wrong leader",
        PARTNERS.replace("seat   0", "seat   1    2    3    0\n;"),
        "round 2  lead 0",
        "round 2  lead ^1",
        "lead 1, expected 0",
    ),
    Bad("a wrong score before", PARTNERS, "lead 0  score 94", "lead 0  score ^95", "expected 94"),
    Bad("a round too many", PARTNERS, '"500"', '"94"', "the match is over", at="2  lead 0"),
    Bad("a tile twice", WHOLE, "02 05 13 14", "02 05 ^05 14", "05 is dealt already"),
    Bad("twice, out of order", WHOLE, "02 05 13 14 26", "26 05 ^26 05 02", "26 is dealt already"),
    Bad("known, out of order", SEATED, "hand 2  ?? ??", "hand 2  ^46 01", "46 is known, the seat"),
    Bad("left, out of order", WHOLE, "26 44 66 =", "66 ^55 11 =", "not left with 55"),
    Bad("twice and known", SEATED, "25 34 66", "25 34 ^34", "dealt already"),
    Bad("a tile in two hands", WHOLE, "01 06 11", "01 ^02 11", "02 is dealt already"),
    Bad("a tile in hand and yard", WHOLE, "| 33 46", "| ^02 46", "02 is dealt already"),
    Bad("unknown in full", WHOLE, "02 05 13 14", "02 ^?? 13 14", "unknown, the full view"),
    Bad("a draw unknown in full", WHOLE, "d66", "^d??", "unknown, the full view"),
    Bad("left unknown in full", WHOLE, "26 44 66", "26 ^?? 66", "unknown, the full view"),
    Bad("its own hand unknown", SEATED, "25 34 66", "25 34 ^??", "unknown, the seat 1 view"),
    Bad(
        "another's hand known", SEATED, "hand 2  ??", "hand 2  ^01", "01 is known, the seat 1 view"
    ),
    Bad("the yard known", SEATED, "yard    ??", "yard    ^46", "46 is known, the seat 1 view"),
    Bad("another's draw known", SEATED, "d??", "^d46", "46 is known, the seat 1 view"),
    Bad("its own draw unknown", SEATED, "d00", "^d??", "unknown, the seat 1 view"),
    Bad("a draw of its own tile", SEATED, "d00", "^d03", "the tile 03 was seen elsewhere"),
    Bad("not in hand", WHOLE, "15>", "^12>", "not in the hand"),
    Bad("no fit", WHOLE, "02>", "^02<", "does not fit"),
    Bad("a play without end", WHOLE, "15>", "^15", "needs an end"),
    Bad("an end on nothing", WHOLE, "1.  11", "1.  ^11<", "does not fit there"),
    Bad("another draw", WHOLE, "d66", "^d25", "the boneyard's next one is 66"),
    Bad("a draw too many", FLOORED, "7.  26", "7.  ^d06", "last two tiles"),
    Bad("on after the end", WHOLE, "35>\nend", "35>\n  14.  ^-\nend", "no round is being played"),
    Bad(
        "an end too early", OPEN, "end unfinished", f"end ^out\n{NOTHING_LEFT}", "it is unfinished"
    ),
    Bad("no end told", WHOLE, END, "end ^unfinished\n", "unfinished, it is blocked"),
    Bad("left with another tile", WHOLE, "26 44 66 =", "26 44 ^55 =", "not left with 55"),
    Bad("left with a tile twice", WHOLE, "26 44 66 =", "26 44 ^44 =", "not left with 44"),
    Bad("left with too few", WHOLE, "26 44 66 = 28", "26 44 = ^28", "2 tiles are told"),
    Bad("wrong pips", WHOLE, "66 = 28", "66 = ^27", "27 pips, expected 28"),
    Bad("a wrong winner", WHOLE, "won 1 +21", "won ^0 +21", "another won the round, expected 1"),
    Bad("nobody won", WHOLE, "won 1 +21", "won ^nobody", "expected 1"),
    Bad("wrong points", WHOLE, "+21", "^+22", "22 points, expected 21"),
    Bad("a wrong score after", WHOLE, "score 0 21", "score 0 ^22", "score of 22, expected 21"),
    Bad("the wrong side's score", WHOLE, "score 0 21", "score ^21 0", "score of 21, expected 0"),
    Bad(
        "another end of the match",
        WHOLE,
        "match max_rounds",
        "^match target",
        "expected match max_",
    ),
    Bad(
        "another side won", WHOLE, "rounds  won 1", "rounds  won 0", "won by side 0", at="match max"
    ),
    Bad("not drawn", WHOLE, "rounds  won 1", "rounds  drawn", "drawn, it is won", at="match max"),
    Bad("no end of the match", WHOLE, "match max_rounds  won 1\n", "^", "expected match max_"),
    Bad("abandoned too late", WHOLE, "match max_rounds  won 1", "^match abandoned", "max_rounds"),
    Bad("not over", PARTNERS, "unfinished\n", "unfinished\n^match target  won 0", "not over"),
    Bad(
        "a forfeit nobody tells",
        LOST,
        "unfinished\n",
        "unfinished\n^match forfeit 1 2  won 0",
        "seat 2 has not",
    ),
    Bad(
        "a forfeit at the end alone",
        WHOLE,
        "match max_rounds",
        "^match forfeit 0",
        "expected match m",
    ),
    Bad("a side left", LOST, "unfinished\n", "unfinished\n^match forfeit 1  won 0", "one side"),
    Bad(
        "sides left unplayed",
        UNDEALT,
        '"careful"]\n',
        '"careful"]\n^match forfeit 0  won 1',
        "one side",
    ),
    Bad(
        "another forfeit",
        LOST,
        "end unfinished\n",
        f"{CUT}^match forfeit 2  won 0",
        "seat 1 forfeited too",
    ),
    Bad("a loser won", LOST, "end unfinished\n", f"{CUT}^match forfeit 1 2  won 1", "is left"),
    Bad("none won", LOST, "end unfinished\n", f"{CUT}^match forfeit 1 2  drawn", "is left"),
    Bad("no end by forfeit", LOST, "end unfinished\n", f"{CUT}^", "expected match forfeit"),
    Bad(
        "given up by the last",
        LOST,
        "end unfinished\n",
        f"{CUT}^match abandoned",
        "expected match forfeit",
    ),
    Bad(
        "played to no end",
        LOST,
        "end unfinished\n",
        f"{CUT}^match max_rounds  won 0",
        "expected match forfeit",
    ),
    Bad(
        "its own pass after a forfeit",
        LOST,
        "-    -t   -",
        "-    ^-    -",
        "seat 1 has forfeited, allowed is -t",
    ),
    Bad(
        "a later pass after a forfeit",
        LOST,
        "1.  -t   -\n",
        "1.  ^-    -\n",
        "seat 1 has forfeited, allowed is -t",
    ),
    Bad(
        "a forfeit twice",
        LOST,
        "end unfinished\n",
        '^{after 2 seat 1 forfeit "x"}\nend unfinished\n',
        "already",
    ),
    Bad(
        "an engine after a forfeit",
        LOST,
        "end unfinished\n",
        '^{after 2 seat 1 engine "x"}\nend unfinished\n',
        "already",
    ),
    Bad(
        "a change after the last forfeit",
        LOST,
        "end unfinished\n",
        f'{GONE_TOO}^{{after 2 seat 0 engine "x"}}\nend unfinished\n',
        "one side is left",
    ),
    Bad(
        "a later forfeit of the last",
        LOST,
        "-t   -\nend",
        '-t   ^-\n{after 1 seat 2 forfeit "x"}\n{after 2 seat 0 forfeit "y"}\nend',
        "one side is left",
    ),
    Bad(
        "on after a forfeit of two",
        WHOLE,
        "05>\n   3.  -",
        '05>\n{after 4 seat 0 forfeit "x"}\n   3.  ^-',
        "one side is left",
    ),
    Bad(
        "a round after a forfeit",
        LOST.replace('"left"}', '"left"}\n{after 3 seat 2 forfeit "x"}'),
        "round 2",
        "round ^2",
        "the match is over",
    ),
    Bad(
        "a forfeit after the match",
        WHOLE,
        "end blocked",
        '^{after 26 seat 0 forfeit "x"}\nend blocked',
        "the match is over",
    ),
    Bad("played by another before", HIDDEN, "15>  05>", "^13>  05>", "not in the hand"),
    Bad("hidden pips too many", HIDDEN, "?? = 28", "?? = ^61", "61 pips, expected"),
    Bad("hidden pips too few", HIDDEN, "?? = 7", "?? = ^0", "0 pips, expected"),
    Bad("hidden and unequal", HIDDEN, "?? = 7", "?? = 8", "21 points, expected 20", at="+21"),
    Bad("a hidden draw too many", HIDDEN, "?? ?? = 7", "?? ?? ?? = ^7", "seat 1 has 2"),
)

TWICE: Final = (
    Bad(
        "an action before a form",
        OPEN.replace("round 2  lead 0", "round 2  led 0"),
        "14>",
        "^14<",
        "does not fit",
    ),
    Bad("a form before an action", WHOLE.replace("02>", "02<"), "= 28", "= ^x", "the pips"),
    Bad(
        "an end before the next game",
        f"{WHOLE}\nno game",
        "match max_rounds",
        "^match target",
        "expected match max_rounds",
    ),
)
"""Of two wrong pieces the first is told; within one round the form is looked at first."""
