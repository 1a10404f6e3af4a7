"""What keys and messages do to the full screen: pure, without a terminal and without a socket.

It is a face of the conversation as line mode is: messages are heard by it, and keys become the
lines that a person would type there. What is said while something is heard goes to the log; what
is said while a key is obeyed is its answer.
"""

from collections.abc import Callable
from typing import Final

from passing_client.conversation import Conversation
from passing_client.language import _
from passing_client.lobbying import list_tables
from passing_client.moves import read_play
from passing_client.screen import filters
from passing_client.screen.choice import Choice, play_text
from passing_client.screen.keys import action_of, hints
from passing_client.screen.replays import Replays
from passing_client.screen.rows import Rows
from passing_client.screen.scene import Focus, Overlay, Page, Scene
from passing_client.screen.skin import ASCII, UNICODE
from passing_link.exits import ExitCode
from passing_link.news import LinkNews
from passing_protocol.events import RoundBegan, Said, StateChanged
from passing_protocol.messages import (
    Create,
    Error,
    Join,
    Leave,
    Left,
    Lobby,
    ServerMessage,
    Tables,
    Update,
    Watch,
)
from passing_protocol.names import CHAT_CHARS, clean_chat
from passing_protocol.views import SeatState, TableState
from passing_rules import End, Tile

SEEN_MS: Final = 250
"""So long a question is on the screen before a key can be an answer to it."""

LOBBY_MS: Final = 3_000
"""After so long the list of tables is asked for again while it is on the screen."""

_ENDED: Final = (TableState.BETWEEN, TableState.OVER)
_MOVES_ONE: Final = (Create, Join, Watch, Leave)
"""The requests after which one may be somewhere else, so that keys wait for the answer."""


class Controller:
    """Hear messages and obey keys; `scene` is what there is to draw after each."""

    def __init__(
        self,
        conversation: Conversation,
        scene: Scene,
        *,
        clock: Callable[[], int] = lambda: 0,
        ring: Callable[[], None] = lambda: None,
    ) -> None:
        """Become the face of a conversation whose desk the scene shows.

        `clock` tells the time in ms, from any moment on; `ring` calls the person.
        """
        self.scene = scene
        self.farewell = ""
        """What was said last when something that was heard ended it all; empty otherwise."""
        self._conversation = conversation
        self._desk = conversation.desk
        self._desk.face = self
        self.choice: Choice = Choice(scene)
        self.rows: Rows = Rows(scene)
        self.replays: Replays = Replays(scene)
        self._clock = clock
        scene.now = clock()
        if scene.starting:
            scene.starting_at = scene.now
        self._ring = ring
        self._answers: list[str] | None = None
        self._heard: list[str] = []
        self._turn: int | None = None
        self._key = ""
        self._asked_at = 0

    # --- what is heard -----------------------------------------------------------------------

    def say(self, line: str) -> None:
        """Take a line that is said: the answer to a key, or something that happened."""
        (self._heard if self._answers is None else self._answers).append(line)

    def ring(self) -> None:
        """Call the person, whose turn it is."""
        self._ring()

    def begin(self, opening: Callable[[Conversation], None]) -> None:
        """Be there: open the conversation with a server that has been reached."""
        self.scene.starting = ""
        self._take(lambda: opening(self._conversation))
        self._asked_at = self.scene.now
        self._settle()

    def hear(self, item: ServerMessage | LinkNews) -> None:
        """Take in a message or news, and sort what is said about it."""
        lines = self._take(lambda: self._conversation.hear(item), keep=not self._is_list(item))
        if lines and self._is_news(item):
            self.scene.flash = lines[-1]
        if self._desk.over is not None and lines:
            self.farewell = lines[-1]
        if isinstance(item, Update):
            self._hear_times(item)
        self._settle()

    def tick(self) -> bool:
        """Notice the time, and tell whether what is shown changes with it.

        The list of tables is asked for again and again while it is shown.
        """
        scene, desk = self.scene, self._desk
        scene.now = self._clock()
        due = scene.now - self._asked_at >= LOBBY_MS
        if scene.page is Page.LOBBY and due and not desk.down and desk.over is None:
            self._asked_at = scene.now
            if not any(isinstance(request, Lobby) for request in desk.pending.values()):
                list_tables(desk, "")
        clocks = (scene.clock_at, scene.next_at)
        timed = any(at is not None for at in clocks) or bool(scene.away_since)
        return timed or scene.page is Page.STARTING

    def _is_list(self, item: ServerMessage | LinkNews) -> bool:
        """Tell whether a message only brings the list of tables, which its page shows."""
        return isinstance(item, Tables) and self._desk.table is None

    def _is_news(self, item: ServerMessage | LinkNews) -> bool:
        """Tell whether what is said about an item is shown at once, and not in the log alone."""
        match item:
            case Error() | Left() | LinkNews():
                return True
            case Tables():
                return self._desk.table is not None
            case Update(events=[*events]):
                return bool(events) and all(isinstance(event, Said) for event in events)
            case _:
                return False

    def _take(self, happen: Callable[[], None], *, keep: bool = True) -> list[str]:
        """Let something happen and return what was said meanwhile, which goes to the log."""
        self.scene.now = self._clock()
        self._heard = []
        happen()
        if keep:
            self.scene.log.extend(self._heard)
        return self._heard

    def _hear_times(self, update: Update) -> None:
        """Note until when the question is open and when the table goes on by itself."""
        scene, now = self.scene, self.scene.now
        for event in update.events:
            if isinstance(event, StateChanged):
                scene.next_at = None if event.next_ms is None else now + event.next_ms
            if isinstance(event, RoundBegan):
                scene.next_at = scene.replay = None
                self.choice.forget()
        if update.ask is not None:
            left = self._conversation.time_left_ms()
            scene.clock_at = None if left is None else now + left

    def _settle(self) -> None:
        """Let what is chosen, focused and shown follow from where one is now."""
        scene, desk = self.scene, self._desk
        turn = desk.shown_turn
        if turn != self._turn:
            self._turn = turn
            scene.flash = scene.flash if turn is None else ""
            scene.turn_at = scene.now
            scene.clock_at = scene.clock_at if turn is not None else None
        if desk.table is None or desk.table.view.state not in _ENDED:
            scene.put_away = False
        if desk.table is None:
            scene.clock_at = scene.next_at = None
        self._note_away()
        self.choice.keep()
        self.rows.keep()
        self._keep_key()

    def _note_away(self) -> None:
        """Note since when which seats are away."""
        table, since = self._desk.table, self.scene.away_since
        seats = table.view.seats if table is not None else []
        away = {number for number, seat in enumerate(seats) if seat.state is SeatState.AWAY}
        self.scene.away_since = {number: since.get(number, self.scene.now) for number in away}

    # --- keys --------------------------------------------------------------------------------

    def press(self, key: str) -> None:
        """Do what a key does now: an action of the table of keys, or one more character."""
        self.scene.now = self._clock()
        action = action_of(key, self.scene)
        self.scene.flash = ""
        if action is None or action.name != "leave":
            self._desk.leaving = False
        if action is not None:
            action.do(self)
        elif len(key) == 1 and key.isprintable():
            self._character(key)
        self._settle()

    def paste(self, text: str) -> None:
        """Take pasted text as one line that was typed, without anything a terminal obeys."""
        self.scene.now = self._clock()
        line = clean_chat(text, CHAT_CHARS)
        typed = read_play(line)
        if filters.is_writing(self.scene):
            self._append(line)
        elif typed is not None and filters.holds_hand(self.scene):
            self.choice.typed(typed)
        self._settle()

    def type(self, line: str) -> None:
        """Obey a line as if it had been typed in line mode, and show its answer."""
        if any(isinstance(request, _MOVES_ONE) for request in self._desk.pending.values()):
            self.scene.flash = _("The server has not answered yet.")
            return
        self._answers = []
        self._conversation.type(line, self._desk.shown_turn if self._is_seen() else None)
        answers, self._answers = self._answers, None
        if len(answers) == 1:
            self.scene.flash = answers[0]
        elif answers:
            self.scene.answer = answers
            self.show(Overlay.ANSWER)

    def interrupt(self) -> None:
        """End it because the person wants out at once."""
        self._conversation.interrupt()

    def leave(self) -> None:
        """Leave the table, or the server where there is none; asks once in a match."""
        desk = self._desk
        if desk.table is None and self.scene.starting:
            desk.over = ExitCode.DONE
        elif desk.in_match and not desk.leaving:
            desk.leaving = True
            self.scene.flash = _("The match is not over. q again leaves, Esc goes back.")
        else:
            self.type("quit" if desk.table is None else "leave")

    # --- writing -----------------------------------------------------------------------------

    def write(self, text: str) -> None:
        """Begin to write: chat after a quotation mark, a command after a slash."""
        self.scene.overlay = None
        self.scene.typed = text
        self.scene.focus = Focus.INPUT

    def erase(self) -> None:
        """Take back the last character; without one to take back, stop to write."""
        self.scene.typed = self.scene.typed[:-1]
        if not self.scene.typed:
            self.scene.focus = Focus.HAND

    def erase_all(self) -> None:
        """Take back all that was written, and go on writing."""
        self.scene.typed = self.scene.typed[:1]

    def submit(self) -> None:
        """Say or do what was written."""
        kind, text = self.scene.typed[:1], self.scene.typed[1:].strip()
        self.scene.typed = ""
        self.scene.focus = Focus.HAND
        if text:
            self.type(f"say {text}" if kind == '"' else text)

    def go_back(self) -> None:
        """Close what is over the page; else stop to write; else take back what is chosen."""
        if self.scene.overlay is not None:
            self.scene.overlay = None
        elif filters.is_writing(self.scene):
            self.scene.typed = ""
        else:
            self._desk.pass_asked = self._desk.which_end = None
            self.choice.forget()
        self.scene.focus = Focus.HAND

    def _character(self, key: str) -> None:
        if filters.is_writing(self.scene):
            self._append(key)
        elif key in "0123456789" and filters.holds_hand(self.scene):
            self.choice.digit(key)
        elif key in "123456789" and filters.in_lobby(self.scene):
            self.rows.choose(int(key) - 1)

    def _append(self, text: str) -> None:
        self.scene.typed = (self.scene.typed + text)[: CHAT_CHARS + 1]

    # --- texts over the page -----------------------------------------------------------------

    def show(self, overlay: Overlay) -> None:
        """Show a text over the page, or close it if it is shown."""
        self.scene.overlay = None if self.scene.overlay is overlay else overlay
        self.scene.scroll = 0

    def scroll(self, lines: int) -> None:
        """Move the text over the page; whoever draws it knows where it ends."""
        self.scene.scroll = max(0, self.scene.scroll + lines)

    def put_away(self) -> None:
        """Look at the table between rounds, or at how the round ended again."""
        self.scene.put_away = not self.scene.put_away

    def turn_skin(self) -> None:
        """Draw with plain characters, or with box drawing again."""
        self.scene.skin = UNICODE if self.scene.skin == ASCII else ASCII

    def turn_mouse(self) -> None:
        """Take clicks of the mouse, or leave the mouse to the terminal."""
        self.scene.mouse = not self.scene.mouse
        if self.scene.mouse:
            self.scene.flash = _("The mouse is on: hold Shift to select text.")
        else:
            self.scene.flash = _("The mouse is off.")

    # --- the bar of keys ---------------------------------------------------------------------

    def turn_focus(self) -> None:
        """Move the focus to the bar of keys, or back."""
        self.scene.focus = Focus.HAND if self.scene.focus is Focus.KEYS else Focus.KEYS
        self._key = ""

    def move_key(self, step: int) -> None:
        """Move along the bar of keys, round and round."""
        shown = hints(self.scene)
        if shown:
            self.scene.key = (self.scene.key + step) % len(shown)
            self._key = shown[self.scene.key].name

    def do_key(self) -> None:
        """Do what the key does on which the bar stands."""
        for action in hints(self.scene):
            if action.name == self._key:
                action.do(self)
                return

    def _keep_key(self) -> None:
        """Stay on the same key while others come and go beside it, and on none that is gone."""
        names = [action.name for action in hints(self.scene)]
        if self._key not in names:
            self._key = names[0] if names else ""
        self.scene.key = names.index(self._key) if names else 0

    # --- a turn ------------------------------------------------------------------------------

    def play(self, end: End | None = None) -> None:
        """Play the chosen tile at this end, without one at the chosen end."""
        if self.scene.chosen is not None:
            self.type(play_text(self.scene.chosen, end or self.scene.end))

    def click(self, tile: Tile) -> None:
        """Choose a tile of the hand that was clicked on; a second click plays it."""
        self.scene.now = self._clock()
        table = filters.playing(self.scene)
        if table is not None and tile in table.hand:
            if self.scene.chosen == tile:
                self.play()
            else:
                self.choice.choose(tile)
            self._settle()

    def draw(self) -> None:
        """Draw a tile."""
        self.type("draw")

    def pass_turn(self) -> None:
        """Pass; while a tile fits a second press has to say so again."""
        if self._is_seen() or self._desk.shown_turn is None:
            self.type("pass")
        else:
            self.scene.flash = _("That was too early: your turn has only just come.")

    def _is_seen(self) -> bool:
        """Tell whether the question has been on the screen long enough to be answered."""
        return self.scene.now - self.scene.turn_at >= SEEN_MS

    def invite(self) -> None:
        """Invite an engine that waits; where none is known to wait, look again who does."""
        table = self._desk.table
        here = {seat.name for seat in table.view.seats} if table is not None else set[str | None]()
        waits = any(engine.name not in here for engine in self._desk.engines)
        self.type("invite" if waits else "engines")

    # --- the list of tables ------------------------------------------------------------------

    def sit_down(self) -> None:
        """Sit down at the chosen table."""
        self.type(f"join {self.rows.table}")

    def watch(self) -> None:
        """Watch the chosen table."""
        self.type(f"watch {self.rows.table}")
