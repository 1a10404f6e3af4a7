"""What keys and messages do to the full screen: pure, without a terminal and without a socket.

It is a face of the conversation as line mode is: messages are heard by it, and keys become the
lines that a person would type there. What is said while something is heard goes to the log; what
is said while a key is obeyed is its answer.
"""

from collections.abc import Callable
from typing import Final

from passing_client.conversation import Conversation
from passing_client.language import _
from passing_client.moves import read_play
from passing_client.screen import filters
from passing_client.screen.choice import Choice
from passing_client.screen.doing import Doing
from passing_client.screen.following import Following
from passing_client.screen.hearing import Hearing
from passing_client.screen.key_bar import KeyBar
from passing_client.screen.keys import KeyAction, action_of
from passing_client.screen.overlays import Overlays
from passing_client.screen.places import Places
from passing_client.screen.replays import Replays
from passing_client.screen.rows import Rows
from passing_client.screen.scene import Focus, Page, Scene
from passing_client.screen.servers import Servers
from passing_client.screen.skin import ASCII, UNICODE
from passing_client.screen.turns import Turns
from passing_client.screen.voice import Voice
from passing_client.screen.writing import Writing
from passing_link.news import Item
from passing_protocol.names import CHAT_CHARS, clean_chat
from passing_rules import Tile

LOBBY_MS: Final = 3_000
"""After so long the list of tables is asked for again while it is on the screen."""


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
        self._conversation = conversation
        self._desk = conversation.desk
        self._clock = clock
        scene.now = clock()
        if scene.starting:
            scene.starting_at = scene.now
        voice = self._desk.face = Voice(ring)
        self.choice: Choice = Choice(scene)
        self.rows: Rows = Rows(scene)
        self.servers: Servers = Servers(scene)
        self.replays: Replays = Replays(scene)
        self.overlays: Overlays = Overlays(scene)
        self.bar: KeyBar = KeyBar(scene)
        doing = Doing(conversation, scene, voice, self.overlays)
        self.writing: Writing = Writing(scene, doing)
        self.turns: Turns = Turns(scene, self.choice, doing)
        self.places: Places = Places(conversation, scene, self.rows, doing)
        self._hearing = Hearing(conversation, scene, voice)
        self._following = Following(scene, self.choice)
        self._looked_at = 0

    @property
    def farewell(self) -> str:
        """Return what was said last when something that was heard ended it all; else nothing."""
        return self._hearing.farewell

    # --- what is heard -----------------------------------------------------------------------

    def begin(self, opening: Callable[[Conversation], None]) -> None:
        """Be there: open the conversation with a server that has been reached."""
        self.scene.now = self._looked_at = self._clock()
        self.scene.starting = ""
        opening(self._conversation)
        self._hearing.open()
        self._settle()

    def hear(self, item: Item) -> None:
        """Take in a message or news, and sort what is said about it."""
        self.scene.now = self._clock()
        self._hearing.hear(item)
        self._settle()

    def tick(self) -> bool:
        """Notice the time, and tell whether what is shown changes with it.

        The list of tables is asked for again and again while it is shown.
        """
        scene = self.scene
        scene.now = self._clock()
        if scene.page is Page.LOBBY and scene.now - self._looked_at >= LOBBY_MS:
            self._looked_at = scene.now
            self._conversation.look_around()
        clocks = (scene.clock_at, scene.next_at)
        timed = any(at is not None for at in clocks) or bool(scene.away_since)
        return timed or scene.page in (Page.STARTING, Page.SERVERS)

    def found(self) -> None:
        """Notice that other servers were found."""
        self.scene.now = self._clock()
        self._settle()

    def resize(self, columns: int, rows: int) -> None:
        """Notice how large the screen is."""
        scene = self.scene
        if (scene.columns, scene.rows) != (columns, rows):
            scene.now = self._clock()
            scene.columns, scene.rows = columns, rows
            self._settle()

    def interrupt(self) -> None:
        """End it because the person wants out at once."""
        self._conversation.interrupt()

    def _settle(self) -> None:
        """Let what is chosen, focused and shown follow from where one is now."""
        self.replays.keep()
        self._following.keep()
        self.choice.keep()
        if self.scene.servers is None:
            self.rows.keep()
        else:
            self.servers.keep()
        self.overlays.keep()
        self.bar.keep()

    # --- keys --------------------------------------------------------------------------------

    def press(self, key: str) -> None:
        """Do what a key does now: an action of the table of keys, or one more character."""
        self._begin_to_act()
        action = action_of(key, self.scene)
        if action is not None:
            self.do(action)
        elif len(key) == 1 and key.isprintable() and not self.scene.small:
            self._character(key)
        self._settle()

    def do(self, action: KeyAction) -> None:
        """Do an action; whoever does something else does not want to leave."""
        if not action.aside:
            self._desk.leaving = False
        action.do(self)

    def do_key(self) -> None:
        """Do what the key does on which the bar stands."""
        if self.bar.chosen is not None:
            self.do(self.bar.chosen)

    def paste(self, text: str) -> None:
        """Take pasted text as one line that was typed, without anything a terminal obeys."""
        self._begin_to_act()
        line = clean_chat(text, CHAT_CHARS)
        typed = read_play(line)
        if self.scene.small:
            return
        if filters.is_writing(self.scene):
            self.writing.append(line)
        elif typed is not None and filters.holds_hand(self.scene):
            self._desk.leaving = False
            self.choice.typed(typed)
        self._settle()

    def click(self, tile: Tile) -> None:
        """Take a click on a tile."""
        self._begin_to_act()
        self._desk.leaving = False
        self.turns.click(tile)
        self._settle()

    def _begin_to_act(self) -> None:
        """Notice the time; what was said last is over."""
        self.scene.now = self._clock()
        self.scene.flash = self.scene.notice = ""
        self.scene.deals.clear()

    def _character(self, key: str) -> None:
        if filters.is_writing(self.scene):
            self.writing.append(key)
        elif key in "0123456789" and filters.holds_hand(self.scene):
            self._desk.leaving = False
            self.choice.digit(key)
        elif key in "123456789" and filters.in_lobby(self.scene):
            self.rows.choose(int(key) - 1)
        elif key in "123456789" and filters.in_servers(self.scene):
            self.servers.choose(int(key) - 1)

    def go_back(self) -> None:
        """Take back what is chosen or asked, and have read what others say, and an alarm."""
        self._desk.pass_asked = self._desk.which_end = None
        self._desk.alarm = ""
        self.scene.unread.clear()
        self.choice.forget()
        self.scene.focus = Focus.HAND

    # --- how it looks ------------------------------------------------------------------------

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
