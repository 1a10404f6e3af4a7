"""The match at one's table as one sees it, noted as the game record that one may keep.

It is told every update of the table. A round of which messages were missed is told where it is
known whole all the same, and marked; where it is not, the record ends before it, as a record has
every round from the first on.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from passing_client.model import Moment, TableModel
from passing_client.proof_story import ProofStory
from passing_client.round_story import RoundStory
from passing_protocol.events import (
    EVIDENCE_CHARS,
    DealRevealed,
    MatchBegan,
    MatchEnded,
    RoundBegan,
    RoundEnded,
    SeatChanged,
    TipsAgreed,
)
from passing_protocol.messages import Update
from passing_protocol.names import clean_chat, clean_name
from passing_protocol.records import (
    PUBLIC,
    ChangeKind,
    Outcome,
    Record,
    SeatChange,
    SeatTag,
    View,
)
from passing_protocol.verdicts import Verdict
from passing_protocol.views import (
    HELD,
    Acted,
    PublicView,
    SeatInfo,
    SeatState,
    TableState,
    options_of,
)
from passing_rules import Options, Tile

LATE_TAG: Final = "Late"
"""The round in which one came: `Seat` tells who was found there, and not who began the match."""

RESUMED_TAG: Final = "Resumed"
"""The rounds in which messages were missed: who else played on for a seat meanwhile is not told."""

UNSEEN_TAG: Final = "Unseen"
"""The round from which on the match was not seen whole, so that the record ends before it."""


@dataclass
class _Noted:
    """Hold a match: who sat where when it began and who does now, its rounds, and how it ended.

    `own` tells whether one has had the same seat, or none, from the beginning on.
    """

    table: str
    view: PublicView
    options: Options
    seat: int | None
    seats: list[SeatTag]
    sitters: list[SeatTag]
    rounds: list[RoundStory] = field(default_factory=list[RoundStory])
    lost: set[int] = field(default_factory=set[int])
    outcome: Outcome | None = None
    own: bool = True
    proof: ProofStory = field(default_factory=ProofStory)

    @property
    def last(self) -> RoundStory | None:
        """Return the round that was noted last."""
        return self.rounds[-1] if self.rounds else None

    def change(self, seat: int, kind: ChangeKind, text: str) -> None:
        """Note that a seat has changed hands, or was lost, where the round is now."""
        if self.rounds:
            last = self.rounds[-1]
            last.changes.append(SeatChange(seat, len(last.actions), kind, text))


class MatchStory:
    """Note the match at a table.

    `ends` counts the rounds and matches that were seen to end, `matches` those that were noted:
    what a server calls a match, another may call another, or itself once it has forgotten all.
    """

    def __init__(self) -> None:
        """Begin without a match."""
        self._noted: _Noted | None = None
        self.ends = 0
        self.matches = 0

    def forget(self) -> None:
        """Forget the match: the session in which it was played is gone, and its name with it."""
        self._noted = None

    def see(self, table: TableModel, moments: Sequence[Moment], update: Update) -> None:
        """Note what an update of the table has brought; a server's nonsense is not noted."""
        try:
            for moment in moments:
                self._moment(table, moment)
            if update.public is not None:
                self._shown(table, update.public)
            if self._noted is not None and self._noted.outcome is None:
                self._note_now(self._noted, table, update)
        except (ValueError, LookupError):
            self._noted = None

    def judge(self, verdict: Verdict) -> bool:
        """Note what was found out about a deal, and tell whether it is one of the match."""
        noted = self._noted
        if noted is None or (noted.table, noted.view.match) != (verdict.table, verdict.match):
            return False
        noted.proof.judge(verdict)
        return True

    # --- what may be kept of it ------------------------------------------------------------

    def record(self) -> Record | None:
        """Return the record of the match as far as it was seen whole from its first round on.

        A round that goes on is not in it. None where there is nothing to tell.
        """
        noted = self._noted
        if noted is None:
            return None
        rounds = _told(noted)
        rest, following = noted.rounds[len(rounds) :], len(rounds) + 1
        goes_on = [played for played in rest if _follows(played, following) and played.end is None]
        tags = [(UNSEEN_TAG, str(following))] if len(rest) > len(goes_on) else []
        return _record(noted, rounds, tags, None if rest else noted.outcome)

    @property
    def has_played(self) -> bool:
        """Tell whether there is a round to be looked at again."""
        rounds = [] if self._noted is None else self._noted.rounds
        return any(played.end is not None and played.whole for played in rounds)

    def played(self) -> Record | None:
        """Return all rounds that were seen to end, to look at them again; some may be missing."""
        noted = self._noted
        if noted is None:
            return None
        rounds = [played for played in noted.rounds if played.end is not None and played.whole]
        return _record(noted, rounds, [], None)

    # --- what happens ------------------------------------------------------------------------

    def _moment(self, table: TableModel, moment: Moment) -> None:
        event, noted = moment.event, self._noted
        if isinstance(event, MatchBegan):
            self._begin(table, moment.after)
        elif noted is not None and isinstance(event, TipsAgreed | DealRevealed):
            _note_proof(noted, event)
        elif noted is None or noted.outcome is not None:
            return
        elif isinstance(event, RoundBegan):
            self._round_began(noted, table, moment)
        elif isinstance(event, Acted):
            self._acted(noted, event, moment)
        elif isinstance(event, RoundEnded):
            self._round_ended(noted, event, moment.before)
        elif isinstance(event, SeatChanged):
            _note_lost(noted, event, moment.before)
        elif isinstance(event, MatchEnded):
            self._match_ended(noted, event)

    def _begin(self, table: TableModel, view: PublicView) -> _Noted:
        """Begin to note a match, which is none that was noted before."""
        self.matches += 1
        self._noted = _begun(table, view)
        return self._noted

    def _round_began(self, noted: _Noted, table: TableModel, moment: Moment) -> None:
        before, after = moment.before, moment.after
        if noted.last is not None and noted.last.end is None:
            noted.last.whole = False
        _note_sitters(noted, before)
        if after.round == 1:
            noted.seats = list(noted.sitters)
        noted.rounds.append(
            RoundStory(after.round, after.leader or 0, tuple(before.scores), table.seat)
        )

    def _acted(self, noted: _Noted, event: Acted, moment: Moment) -> None:
        playing = _playing(noted, moment.before)
        if playing is not None:
            _catch_up(noted, playing, moment.before)
            _note_sitters(noted, moment.before)
            playing.act(event, moment.drew)

    def _round_ended(self, noted: _Noted, event: RoundEnded, before: PublicView) -> None:
        playing = _playing(noted, before)
        if playing is not None:
            _catch_up(noted, playing, before)
            playing.finish(event, before.hands)
            self.ends += 1

    def _match_ended(self, noted: _Noted, event: MatchEnded) -> None:
        noted.outcome = Outcome.told(event.reason, event.winner, noted.lost)
        self.ends += 1

    # --- what is shown ---------------------------------------------------------------------

    def _shown(self, table: TableModel, view: PublicView) -> None:
        """Compare what was noted with a view of the table, and note what was missed."""
        noted = self._noted
        if noted is None or (noted.table, noted.view.match) != (table.id, view.match):
            over = view.round == 0 or view.state in (TableState.OVER, TableState.CLOSED)
            self._noted = noted = None if over else self._begin(table, view)
        if noted is None:
            return
        noted.proof.agreed(view.tips)
        if view.state not in (TableState.OVER, TableState.CLOSED):
            noted.outcome = None
        if noted.outcome is None:
            _compare(noted, view, table.seat)

    def _note_now(self, noted: _Noted, table: TableModel, update: Update) -> None:
        """Note who sits where and what one holds oneself, after an update."""
        _note_sitters(noted, table.view)
        if table.seat != noted.seat:
            noted.seat, noted.own = table.seat, False
        last = noted.last
        if update.mine is not None and last is not None and last.end is None:
            last.note_hand(map(Tile.parse, update.mine.hand))


def _begun(table: TableModel, view: PublicView) -> _Noted:
    seats = [_tag(info) for info in view.seats]
    return _Noted(table.id, view, options_of(view.game), table.seat, seats, list(seats))


def _tag(info: SeatInfo) -> SeatTag:
    engine = clean_chat(info.engine) if info.engine is not None else None
    return SeatTag(clean_name(info.name or ""), engine)


def _playing(noted: _Noted, view: PublicView) -> RoundStory | None:
    """Return the round that is played, None where its beginning was not seen."""
    last = noted.last
    return None if last is None or last.number != view.round or last.end is not None else last


# --- seats -------------------------------------------------------------------------------------


def _note_sitters(noted: _Noted, view: PublicView) -> None:
    """Note for each seat who plays on there, where it is another than before."""
    for seat, info in enumerate(view.seats):
        sitter = _tag(info)
        if info.state in HELD and sitter != noted.sitters[seat]:
            noted.sitters[seat] = sitter
            kind = ChangeKind.PLAYER if sitter.engine is None else ChangeKind.ENGINE
            noted.change(seat, kind, sitter.engine or sitter.name)


def _note_lost(noted: _Noted, event: SeatChanged, before: PublicView) -> None:
    if event.info.state is SeatState.FORFEITED and event.seat not in noted.lost:
        _note_sitters(noted, before)
        why = "" if event.fault is None else clean_chat(event.fault.evidence, EVIDENCE_CHARS)
        _lose(noted, event.seat, why)


def _lose(noted: _Noted, seat: int, why: str) -> None:
    noted.lost.add(seat)
    noted.change(seat, ChangeKind.FORFEIT, why)


def _lost_in(view: PublicView) -> set[int]:
    return {seat for seat, i in enumerate(view.seats) if i.state is SeatState.FORFEITED}


def _note_proof(noted: _Noted, event: TipsAgreed | DealRevealed) -> None:
    """Note what is shown of the deals of this match."""
    if event.match != noted.view.match:
        return
    if isinstance(event, TipsAgreed):
        noted.proof.agreed(event.tips)
    else:
        noted.proof.shown(event, noted.last.number if noted.last is not None else 0)


# --- what was missed -----------------------------------------------------------------------------


def _compare(noted: _Noted, view: PublicView, seat: int | None) -> None:
    """Note what a view shows that was not seen to happen, or not to have happened."""
    while noted.rounds and noted.rounds[-1].number > view.round:
        noted.rounds.pop()
    last, going_on = noted.last, view.to_act is not None
    if last is None or last.number < view.round:
        if last is not None and last.end is None:
            last.whole = False
        scores = tuple(view.scores)
        last = RoundStory(view.round, view.leader or 0, scores, seat, whole=going_on)
        last.late = not noted.rounds
        last.resumed = not last.late
        noted.rounds.append(last)
    elif not going_on:
        last.whole &= last.end is not None
        return
    _catch_up(noted, last, view)
    _compare_lost(noted, last, view)


def _catch_up(noted: _Noted, playing: RoundStory, view: PublicView) -> None:
    """Note actions that were missed; who did them must be known."""
    if playing.catch_up(view.actions):
        playing.resumed = not playing.late
        same = all(
            _tag(info) == sitter
            for info, sitter in zip(view.seats, noted.sitters, strict=True)
            if info.state in HELD
        )
        playing.whole &= same and _lost_in(view) == noted.lost


def _compare_lost(noted: _Noted, playing: RoundStory, view: PublicView) -> None:
    """Note which seats were lost meanwhile, or were not after all."""
    lost = _lost_in(view)
    for seat in noted.lost - lost:
        playing.changes = [
            change
            for change in playing.changes
            if (change.seat, change.kind) != (seat, ChangeKind.FORFEIT)
        ]
    for seat in sorted(lost - noted.lost):
        _lose(noted, seat, "")
    noted.lost = lost


# --- the record ----------------------------------------------------------------------------------


def _follows(played: RoundStory, number: int) -> bool:
    """Tell whether a round is known whole, and is the one of this number."""
    return played.whole and played.number == number


def _told(noted: _Noted) -> list[RoundStory]:
    """Return the rounds that a record can tell: from the first on, and none that goes on."""
    told: list[RoundStory] = []
    for number, played in enumerate(noted.rounds, 1):
        if not _follows(played, number) or (played.end is None and noted.outcome is None):
            break
        told.append(played)
    return told


def _record(
    noted: _Noted,
    rounds: Sequence[RoundStory],
    tags: list[tuple[str, str]],
    outcome: Outcome | None,
) -> Record | None:
    """Return a record of these rounds, None where there is none or a server has told nonsense."""
    if not rounds:
        return None
    late = " ".join(str(played.number) for played in rounds if played.late)
    resumed = " ".join(str(played.number) for played in rounds if played.resumed)
    marks = [mark for mark in ((LATE_TAG, late), (RESUMED_TAG, resumed)) if mark[1]]
    knows = noted.own and noted.seat is not None and all(played.knows_own for played in rounds)
    try:
        told = tuple(played.record(noted.options, own=knows) for played in rounds)
        return Record(
            event=clean_name(noted.view.name),
            view=View(seat=noted.seat) if knows else PUBLIC,
            deal_kind=noted.view.deal,
            options=noted.options,
            seats=tuple(noted.seats),
            rounds=told,
            outcome=outcome,
            match=noted.view.match,
            tags=(*marks, *tags, *noted.proof.tags([played.number for played in rounds])),
            proof=noted.proof.told([played.number for played in rounds if played.end is not None]),
        )
    except (ValueError, LookupError):
        return None
