"""Fair deals without a server: contributors are told what one would tell, the truth unless told.

What a server does wrong is one method that a subclass writes anew.
"""

import random
from collections.abc import Sequence

from passing_protocol.contributing import Contributor
from passing_protocol.deals import dealt
from passing_protocol.events import (
    DealRevealed,
    Event,
    MatchBegan,
    RoundBegan,
    RoundEnded,
    SeatLink,
    TipsAgreed,
    round_ended,
)
from passing_protocol.fair_deal import Chain, deal_key, list_hash
from passing_protocol.handshake import Welcome
from passing_protocol.limits import Heartbeat
from passing_protocol.messages import (
    PROTOCOL_VERSION,
    Contribute,
    GiveLink,
    LinkWanted,
    Ok,
    Request,
    Role,
    ServerMessage,
    ShowTip,
    TipsOffered,
    TipsOk,
    Update,
    UpdateOf,
)
from passing_protocol.verdicts import Outcome, Reason, Verdict
from passing_protocol.views import (
    Acted,
    DealKind,
    GameOptions,
    Mine,
    PublicView,
    SeatInfo,
    SeatState,
    SeatTip,
    TableOptions,
    TableState,
    TipList,
    options_of,
)
from passing_protocol.wire import TileText, action_message, tile_text
from passing_rules import Action, Deal, Match, Pass, Round
from tests.support.protocol.samples import LIMITS

TABLE = "t1"
WITHIN_MS = 5_000


def welcome(*, epoch: int = 1, resumed: bool = False) -> Welcome:
    """Return a server's welcome."""
    return Welcome(
        PROTOCOL_VERSION, "srv", epoch, "s1", "r" * 32, Role.PLAYER, "Ann",
        LIMITS, Heartbeat(1_000, 4_000), "1", resumed,
    )  # fmt: skip


class ToldTable:
    """Deal and play rounds at a table; `verdicts` are by seat.

    `deaf` are the seats that hear nothing, `deaf_to_rounds` those that hear only what is asked of
    the software, `silent` those whose answers do not arrive.
    """

    def __init__(
        self,
        seats: int = 3,
        seed: int = 0,
        game: GameOptions | None = None,
        name: str = TABLE,
    ) -> None:
        self.name = name
        self.deaf_to_rounds: set[int] = set()
        self.random = random.Random(seed)
        self.contributors = [Contributor(self.random.randbytes) for _ in range(seats)]
        self.verdicts: list[list[Verdict]] = [[] for _ in range(seats)]
        self.deaf: set[int] = set()
        self.silent: set[int] = set()
        self.game = game if game is not None else GameOptions(seats=seats)
        self.answers: list[tuple[int, Request]] = []
        self.rev = 0
        self.first_id = 0
        self._ids = 0
        self.ids_by_seat: dict[int, int] = {}
        self._matches = 0
        for seat in self.seats:
            self.tell(seat, welcome())
        self.begin_match()

    @property
    def seats(self) -> range:
        """Return all seats."""
        return range(len(self.contributors))

    def found(self, seat: int) -> list[tuple[Outcome, Reason | None]]:
        """Return, once, what a seat has found out."""
        verdicts, self.verdicts[seat] = self.verdicts[seat], []
        return [(verdict.outcome, verdict.reason) for verdict in verdicts]

    # --- messages

    def tell(self, seat: int, message: ServerMessage) -> None:
        """Let a seat hear a message, and keep what it answers and finds out."""
        if seat in self.deaf or (seat in self.deaf_to_rounds and isinstance(message, UpdateOf)):
            return
        heard = self.contributors[seat].hear(message)
        self.verdicts[seat] += heard.verdicts
        for request in heard.requests:
            self._ids += 1
            number = self.first_id + self._ids
            self.ids_by_seat[seat] = number
            self.contributors[seat].sent(number, request, own=True)
            if seat not in self.silent:
                self.take(seat, request)
                self.confirm(seat, number)

    def confirm(self, seat: int, number: int) -> None:
        """Answer a request."""
        self.tell(seat, Ok(0, number, self.name))

    def take(self, seat: int, request: Request) -> None:
        """Take an answer in."""
        self.answers.append((seat, request))
        match request:
            case ShowTip(base=base, tip=tip):
                self.tips[seat] = SeatTip(seat, base, tip)
            case TipsOk(hash=hash_):
                self.agreed[seat] = hash_
            case GiveLink(link=link):
                self.links[seat] = link
            case _:
                raise AssertionError(request)

    def happen(self, *events: Event, public: bool = False) -> None:
        """Tell events to all seats, with their own tiles and the whole view where so wished."""
        self.rev += len(events)
        for seat in self.seats:
            self.tell(seat, self.update(seat, list(events), public=public))

    def update(self, seat: int, events: list[Event], *, public: bool = False) -> Update:
        """Return the update that a seat is sent."""
        view = self.view() if public else None
        return Update(0, self.name, self.rev, events, public=view, mine=self.mine(seat))

    def show(self, seat: int) -> None:
        """Send a seat a snapshot, as after messages that did not arrive."""
        self.tell(seat, self.update(seat, [], public=True))

    def mine(self, seat: int) -> Mine:
        """Return a seat's own part; the tile that it drew is there if it acted last."""
        played = self.match.round
        if played is None:
            return Mine(seat, [])
        last = played.records[-1] if played.records else None
        drew = last.drawn if last is not None and last.seat == seat else None
        hand: list[TileText] = [tile_text(tile) for tile in played.hand(seat)]
        return Mine(seat, hand, tile_text(drew) if drew is not None else None)

    def view(self) -> PublicView:
        """Return what everybody sees."""
        played = self.match.round
        return PublicView(
            match=self.id,
            rules="1",
            name="Kitchen",
            state=TableState.BETWEEN if self.at_rest else TableState.PLAYING,
            deal=DealKind.FAIR,
            game=self.game,
            table=TableOptions(),
            owner=0,
            seats=[SeatInfo(SeatState.TAKEN, f"S{n}") for n in self.seats],
            scores=list(self.match.scores),
            round=self.match.round_number,
            rev=self.rev,
            leader=played.leader if played is not None else None,
            to_act=None if self.at_rest or played is None else played.to_act,
            actions=list(self.actions),
            deal_number=self.begun if played is not None else None,
        )

    # --- a match and its lists

    @property
    def at_rest(self) -> bool:
        """Tell whether no round is being played."""
        return self.match.round is None or self.match.round.ending is not None

    def begin_match(self) -> None:
        """Begin a match with a chain of the server's own."""
        self._matches += 1
        self.id = f"m{self._matches}"
        self.match = Match(options_of(self.game))
        self.chain = Chain(self.random.randbytes(32), 0)
        self.begun = self.version = 0
        self.actions: list[Acted] = []
        self.tips: dict[int, SeatTip] = {}
        self.agreed: dict[int, str] = {}
        self.links: dict[int, str] = {}
        if self._matches == 1:
            self.happen(public=True)
        self.ask_tips()
        self.offer()

    def ask_tips(self, *, seats: Sequence[int] | None = None) -> None:
        """Ask seats for tips of new chains."""
        for seat in self.seats if seats is None else seats:
            self.tell(seat, Contribute(0, self.name, self.id, self.begun, WITHIN_MS))

    def list_for(self, seat: int) -> TipList:
        """Return the list of tips as a seat is told it."""
        tips = [self.tips[number] for number in sorted(self.tips)]
        return TipList(self.version, self.chain.shown, tips)

    def offer(self) -> None:
        """Have a new list agreed to."""
        self.version += 1
        self.agreed.clear()
        for seat in sorted(self.tips):
            tips = self.list_for(seat)
            self.tell(
                seat,
                TipsOffered(
                    0, self.name, self.id, self.version, tips.server, tips.seats, WITHIN_MS
                ),
            )
        self.hash = list_hash(self.id, self.list_for(self.dealer))
        for seat in self.seats:
            self.tell_agreed(seat)

    def tell_agreed(self, seat: int) -> None:
        """Tell a seat that the list is agreed to."""
        told = TipsAgreed(self.id, self.list_for(seat))
        self.tell(seat, self.update(seat, [told]))

    dealer = 0
    """By whose list the deck is made."""

    # --- a round

    def begin_deal(self) -> None:
        """Begin a deal, and ask for everybody's links."""
        self.begun += 1
        self.links.clear()
        for seat in sorted(self.tips):
            self.tell(seat, LinkWanted(0, self.name, self.id, self.version, self.begun, WITHIN_MS))

    @property
    def key(self) -> bytes:
        """Return the key of the deal."""
        links = {seat: bytes.fromhex(link) for seat, link in self.links.items()}
        return deal_key(self.id, self.begun, self.hash, self.chain.link(self.begun), links)

    def deal(self) -> tuple[Deal, int]:
        """Return what is dealt, and who leads where chance says so."""
        return dealt(self.key, len(self.contributors))

    def begin_round(self, *, numbered: bool = True) -> None:
        """Deal, and tell everybody that a round begins, with the number of its deal or without."""
        self.begin_deal()
        deal, leader = self.deal()
        first = self.match.round_number == 0
        began = self.match.begin_round(deal, leader if self.match.chance_leads else None)
        self.actions.clear()
        current = self.current
        event = RoundBegan(
            began.number, began.leader, DealKind.FAIR, list(current.hand_sizes),
            current.boneyard_size, current.drawable, self.begun if numbered else None,
        )  # fmt: skip
        options = self.match.options
        self.happen(*([MatchBegan(self.id, options.target)] if first else []), event)

    @property
    def current(self) -> Round:
        """Return the round that was dealt last."""
        assert self.match.round is not None
        return self.match.round

    def act(self, action: Action | None = None, *, public: bool = False) -> None:
        """Let the seat on turn act, by chance unless told, and end the round if that ends it."""
        current = self.current
        seat = current.to_act
        if action is None:
            legal = [one for one in current.legal_actions() if one != Pass()]
            action = self.random.choice(legal) if legal else Pass()
        self.match.do(seat, action)
        acted = Acted(seat, len(self.actions) + 1, action_message(action))
        self.actions.append(acted)
        if current.ending is None:
            self.happen(acted, public=public)
        else:
            self.happen(acted, *self.at_the_end(self.ended), public=public)

    @property
    def ended(self) -> RoundEnded:
        """Return how the round that was played last ended."""
        hands: list[list[TileText]] = [
            [tile_text(tile) for tile in self.current.hand(n)] for n in self.seats
        ]
        return round_ended(self.match.results[-1], hands)

    def at_the_end(self, ended: RoundEnded) -> list[Event]:
        """Return what is told when a round has ended."""
        return [ended, self.shown()]

    def shown(self, *, void: bool = False, missing: Sequence[int] = ()) -> DealRevealed:
        """Return the links of the deal as they are shown."""
        links = [SeatLink(seat, self.links[seat]) for seat in sorted(self.links)]
        return DealRevealed(
            self.id, self.begun, self.version, self.chain.link(self.begun).hex(), links,
            void, list(missing),
        )  # fmt: skip

    def play(self, *, public: bool = False) -> None:
        """Play a round to its end."""
        self.begin_round()
        self.play_on(public=public)

    def play_on(self, *, public: bool = False) -> None:
        """Play what is left of a round."""
        while not self.at_rest:
            self.act(public=public)
