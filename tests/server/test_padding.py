"""On an encrypted server the length of a message tells nothing of the hand in it but its size."""

import random
from collections import defaultdict

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import UNSET, Raw, UnsetType

from passing_protocol.codec import decode_server, encode
from passing_protocol.messages import Act, Join, SplicedUpdate, Start, Update
from passing_protocol.views import Ask, Clock, GameOptions, Mine, TableOptions
from passing_protocol.wire import TILE_TEXTS, ActionMessage, EndText
from passing_server.padding import BLOCK, padded
from tests.support.encrypted_lan import EncryptedLan
from tests.support.lan import Lan

FITS: tuple[tuple[EndText | UnsetType, ...], ...] = (
    (),
    (UNSET,),
    ("left",),
    ("right",),
    ("left", "right"),
)
"""The ends at which a tile may fit; before the first tile of a round there is none to name."""

CODES = ("does_not_fit", "boneyard_floor")
"""Why a tile does not fit, and why nothing can be drawn: the longest there is."""


@st.composite
def privates(draw: st.DrawFn, size: int) -> tuple[Mine, Ask | None]:
    """A hand of a size, and whatever may be asked of it."""
    hand = draw(st.permutations(TILE_TEXTS))[:size]
    has_drawn = draw(st.booleans())
    drew = draw(st.sampled_from(hand)) if has_drawn and hand else None
    seed = draw(st.sampled_from([None, "0" * 32]))
    mine = Mine(draw(st.integers(0, 3)), hand, drew, seed)
    legal = [ActionMessage(pass_=True)]
    refused: dict[str, str] = {}
    if draw(st.booleans()):
        legal.append(ActionMessage(draw=True))
    else:
        refused["draw"] = CODES[1]
    for tile in hand:
        ends = draw(st.sampled_from(FITS))
        legal += [ActionMessage(play=tile, end=end) for end in ends]
        if not ends:
            refused[tile] = CODES[0]
    clock = draw(st.sampled_from([None, Clock(2**52, 2**52), Clock(0, 0)]))
    ask = Ask(draw(st.integers(0, 2**31)), legal, refused, clock)
    return mine, draw(st.sampled_from([ask, None]))


def update(mine: Mine | None, ask: Ask | None, public: int) -> SplicedUpdate:
    """An update with so many bytes that everybody may see."""
    events = Raw(encode([]))
    shown = Raw(msgspec.msgpack.encode("x" * public))
    return SplicedUpdate(7, "t1", 9, events, public=shown, mine=mine, ask=ask)


@settings(max_examples=80, deadline=None)
@given(data=st.data(), size=st.integers(0, 28), public=st.integers(0, 2_000))
def test_the_length_follows_from_what_is_public_and_the_size_of_the_hand(
    data: st.DataObject, size: int, public: int
) -> None:
    one, other = (data.draw(privates(size)) for _ in range(2))
    lengths = {len(padded(update(*private, public))) for private in (one, other)}
    assert len(lengths) == 1
    assert lengths.pop() % BLOCK == 0


@settings(max_examples=25, deadline=None)
@given(data=st.data(), public=st.integers(0, 2_000))
def test_what_is_filled_up_says_the_same(data: st.DataObject, public: int) -> None:
    private = data.draw(privates(7))
    plain, filled = update(*private, public), padded(update(*private, public))
    told = msgspec.msgpack.decode(filled)
    assert set(told.pop("pad")) <= {" "}
    assert told == msgspec.msgpack.decode(encode(plain))


def test_a_message_without_a_hand_is_as_it_was() -> None:
    assert padded(update(None, None, 9)) == encode(update(None, None, 9))


def play(lan: Lan, seed: int) -> list[tuple[bytes, Update]]:
    """Play a round of two people who do whatever is legal; return their frames of one message."""
    chance = random.Random(seed)
    names = ("ann", "bob")
    if isinstance(lan, EncryptedLan):
        players = [lan.member(name) for name in names]
    else:
        players = [lan.client(name) for name in names]
    game = GameOptions(seats=2, max_rounds=1)
    table = lan.table(players[0], game, TableOptions(deal="server"))
    players[1].send(Join(0, table))
    players[0].send(Start(0, table))
    while asked := [player for player in players if player.tables[table].ask is not None]:
        ask = asked[0].tables[table].ask
        assert ask is not None
        asked[0].send(Act(0, table, ask.turn, chance.choice(ask.legal)))
    frames = [frame for player in players for frame in player.frames]
    alone = [(frame, decode_server(frame)) for frame in frames]
    return [(f, m[0]) for f, m in alone if len(m) == 1 and isinstance(m[0], Update)]


@pytest.mark.parametrize("seed", range(6))
def test_over_a_whole_round_no_length_tells_what_can_be_played(seed: int) -> None:
    lengths: dict[tuple[int, int], set[int]] = defaultdict(set)
    asked = 0
    for frame, message in play(EncryptedLan(), seed):
        if message.mine is None:
            continue
        asked += message.ask is not None
        bare = msgspec.structs.replace(message, mine=None, ask=None)
        lengths[len(encode(bare)), len(message.mine.hand)].add(len(frame))
        assert len(frame) % BLOCK == 0
    assert asked
    assert all(len(found) == 1 for found in lengths.values())


def test_without_encryption_nothing_is_filled_up() -> None:
    frames = play(Lan(), 1)
    assert frames
    assert not any(b"\xa3pad" in frame for frame, _ in frames)
