"""R6 on the wire: no frame to anybody holds what that reader may not know (C16 to C20)."""

from collections.abc import Callable
from typing import cast

import msgpack
import pytest

from passing_protocol.codec import CodecError
from passing_protocol.messages import Act, Create, Error, Join, Ready, Update, Watch
from passing_protocol.views import GameOptions, TableOptions
from passing_protocol.wire import action_message
from passing_rules import ALL_TILES, Draw, Play, Round
from tests.support.lan import LanClient
from tests.support.secret_matches import SecretMatch
from tests.support.tapped_lan import TappedLan
from tests.support.wire_tap import Map, tiles_in, unpacked

MATCHES = 20
CHUNK = 10
TARGET = 61
KINDS = {
    *("welcome", "refused", "goodbye", "ok", "error", "tables", "update", "invited"),
    *("acted", "chat", "match_began", "match_ended", "round_began", "round_ended"),
    *("seat", "state", "watchers"),
}
"""The messages and events that every run of so many matches holds."""


@pytest.mark.parametrize("first", range(0, MATCHES, CHUNK))
def test_c16_no_frame_of_whole_matches_holds_a_tile_its_reader_may_not_know(first: int) -> None:
    matches = [SecretMatch(n, TARGET).play() for n in range(first, first + CHUNK)]
    assert sum(match.updates for match in matches) > 1_000
    assert sum(match.repeated for match in matches) > 10
    assert {kind for match in matches for kind in match.kinds} >= KINDS


# --- the tap itself: what it must not miss --------------------------------------------------


class Scene:
    """Hold a round under way: the first seat is on turn, somebody watches."""

    def __init__(self) -> None:
        self.lan = TappedLan("scene")
        self.players = [self.lan.client("one"), self.lan.client("two", "bot")]
        owner = self.players[0]
        self.table = self.lan.table(owner, GameOptions(seats=2), TableOptions(pace_ms=0))
        self.watcher = self.lan.watcher("third", self.table)
        self.players[1].send(Join(0, self.table))
        owner.send(Ready(0, self.table))
        while self.round.to_act != 0:
            self.players[1].act(self.table, action_message(Draw()))

    @property
    def round(self) -> Round:
        play = self.lan.server.lobby.rooms[self.table].table.play
        assert play is not None
        assert play.match.round is not None
        return play.match.round

    def hand(self, seat: int) -> list[str]:
        return [str(tile) for tile in self.round.hand(seat)]

    def session_id(self, client: LanClient) -> str:
        assert client.session.welcome is not None
        return client.session.welcome.session

    def token(self, client: LanClient) -> str:
        assert client.session.welcome is not None
        return client.session.welcome.resume_token

    def last_update(self, client: LanClient) -> Map:
        """Return what a client was asked last, as if that were the next message."""
        messages = [message for frame in client.frames for message in unpacked(frame)]
        asked = [message for message in messages if "ask" in message]
        return {**asked[-1], "seq": client.session.seq + 1}

    def check(self, client: LanClient, message: Map) -> None:
        self.lan.tap.check(self.session_id(client), msgpack.packb(message))


@pytest.fixture
def scene() -> Scene:
    return Scene()


def _mine(update: Map) -> dict[str, object]:
    return cast("Map", update["mine"])


PLANTED: dict[str, Callable[[Map, Scene], object]] = {
    "another's hand": lambda u, s: _mine(u).update(hand=s.hand(1)),
    "one tile more": lambda u, s: _mine(u).update(hand=sorted([*s.hand(0), s.hand(1)[0]])),
    "another's drawn tile": lambda u, s: _mine(u).update(drew=s.hand(1)[0]),
    "another's seat": lambda u, s: _mine(u).update(seat=1),
    "a seed of an engine": lambda u, s: _mine(u).update(bot_seed="0" * 32),
    "a tile of the boneyard on the train": lambda u, s: cast("Map", u["public"]).update(
        train=[[str(s.round.deal.boneyard[-1]), 0]]
    ),
    "a hand in place of its size": lambda u, s: cast("Map", u["public"]).update(
        hands=[[*range(7)], 7]
    ),
    "a field that is not in the protocol": lambda u, s: u.update(deck=[1, 2, 3]),
    "a tile in an event": lambda u, s: u.update(
        events=[{"event": "chat", "name": "one", "text": f"two holds {s.hand(1)[0]}"}]
    ),
    "another's action": lambda u, s: u.update(
        events=[{"event": "acted", "seat": 1, "turn": 1, "action": {"play": s.hand(1)[0]}}]
    ),
    "the hands before the round is over": lambda u, s: u.update(
        events=[
            {
                "event": "round_ended",
                "round": 1,
                "ending": "out",
                "pips": [0, 0],
                "winners": [],
                "points": 0,
                "scores": [0, 0],
                "hands": [s.hand(0), s.hand(1)],
            }
        ]
    ),
    "another's resume token": lambda u, s: u.update(hash=s.token(s.players[1])),
    "another's session": lambda u, s: u.update(hash=s.session_id(s.players[1])),
    "a routing id": lambda u, s: u.update(hash=s.players[1].peer.hex()),
}


@pytest.mark.parametrize("plant", PLANTED.values(), ids=PLANTED.keys())
def test_the_tap_finds_what_is_planted(plant: Callable[[Map, Scene], object], scene: Scene) -> None:
    update = scene.last_update(scene.players[0])
    plant(update, scene)
    with pytest.raises((AssertionError, CodecError)):
        scene.check(scene.players[0], update)


def test_the_tap_lets_pass_what_is_as_it_was(scene: Scene) -> None:
    scene.check(scene.players[0], scene.last_update(scene.players[0]))


def test_the_tap_finds_a_hand_that_is_sent_to_a_watcher(scene: Scene) -> None:
    update = {**scene.last_update(scene.players[0]), "seq": scene.watcher.session.seq + 1}
    with pytest.raises(AssertionError):
        scene.check(scene.watcher, update)


def test_the_tap_finds_another_message_under_an_old_number(scene: Scene) -> None:
    scene.check(scene.players[0], scene.last_update(scene.players[0]))
    other = {**scene.last_update(scene.players[0]), "hash": "0" * 16}
    with pytest.raises(AssertionError):
        scene.check(scene.players[0], other)


def test_tiles_are_found_in_keys_and_sentences_in_either_order() -> None:
    assert tiles_in({"64": ["seat 1 holds 30.", {"x": "t12"}], "hash": "ab66cd"}) == {"46", "03"}


# --- single promises ------------------------------------------------------------------------


def test_c20_a_second_client_as_a_watcher_sees_the_public_view_alone(scene: Scene) -> None:
    player = scene.last_update(scene.players[0])
    spy = scene.lan.client("one's other screen")
    answer = spy.ask(Watch(0, scene.table))
    assert isinstance(answer, Update)
    assert answer.mine is None
    assert answer.ask is None
    seen = unpacked(spy.frames[-1])[-1]["public"]
    assert seen == {**cast("Map", player["public"]), "rev": answer.rev}


def test_c17_the_seat_that_a_message_names_means_nothing(scene: Scene) -> None:
    engine = scene.players[1]
    frames = len(scene.players[0].frames)
    for field in ("seat", "player", "session"):
        ask = scene.players[0].tables[scene.table].ask
        assert ask is not None
        act = Act(0, scene.table, ask.turn, action_message(Draw()))
        number, data = engine.session.request(act)
        request = {**cast("Map", msgpack.unpackb(data)), field: 0}
        scene.lan.put(engine.peer, msgpack.packb(request))
        scene.lan.settle()
        answer = engine.answer(number)
        assert isinstance(answer, Error)
        assert answer.code == "not_your_turn"
    assert len(scene.players[0].frames) == frames


def test_c17_a_tile_that_another_holds_is_refused_as_one_in_the_boneyard_is(scene: Scene) -> None:
    player = scene.players[0]
    ask = player.tables[scene.table].ask
    assert ask is not None
    held = scene.round.hand(1)
    answers: set[tuple[str, str]] = set()
    for tile in ALL_TILES:
        if tile in scene.round.hand(0):
            continue
        error = player.refusal(Act(0, scene.table, ask.turn, action_message(Play(tile, None))))
        answers.add((error.code, error.detail.replace(str(tile), "..")))
        assert tile in held or error.code == "not_in_hand"
    assert len(answers) == 1


def test_a_seed_is_told_to_nobody_and_a_bot_seed_to_its_engine_alone() -> None:
    lan = TappedLan("seeds")
    seed = "0123456789abcdef" * 2
    lan.tap.secrets[seed.encode()] = None
    owner = lan.client("owner", "organiser")
    table = owner.ask(Create(0, "seeded", GameOptions(seats=2), seed=seed))
    assert isinstance(table, Update)
    engine = lan.client("engine", "bot")
    joined = engine.ask(Join(0, table.table))
    assert isinstance(joined, Update)
    assert joined.mine is not None
    assert joined.mine.bot_seed is not None
    own = joined.mine.bot_seed.encode()
    watcher = lan.watcher("third", table.table)
    owner.send(Ready(0, table.table))
    for client in (owner, watcher):
        assert not any(own in frame or seed.encode() in frame for frame in client.frames)
    assert not any(seed.encode() in frame for frame in engine.frames)
