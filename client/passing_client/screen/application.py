"""The full screen at a terminal: draws the scene, gives keys to the controller, and tidies up.

Of the screen's modules this is the only one that knows of prompt_toolkit. Nothing is laid out
here: one window shows the lines of the picture, which are exactly as many and as wide as the
terminal, whatever its size.
"""

import os
from collections.abc import Callable
from typing import Final

from prompt_toolkit.application import Application
from prompt_toolkit.data_structures import Point
from prompt_toolkit.filters import Condition
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout import FormattedTextControl, Layout, Window
from prompt_toolkit.mouse_events import MouseEvent, MouseEventType
from prompt_toolkit.styles import Style

from passing_client.keyboard import readable
from passing_client.screen.controller import Controller
from passing_client.screen.drawing import draw
from passing_client.screen.keys import KEYS
from passing_client.screen.picture import Picture
from passing_client.screen.pointing import tile_at
from passing_client.screen.style import STYLES, without_colour
from passing_client.screen.title import title

REDRAW_S: Final = 0.02
"""So long the screen stays as it is at least, however much happens."""

ESCAPE_S: Final = 0.05
"""So long after an escape character it may still be the start of another key."""

COLOURS: Final = 8
"""A terminal with fewer colours is drawn on without."""

_PUSH_TITLE: Final = "\x1b[22;0t"
_POP_TITLE: Final = "\x1b[23;0t"


_WHEEL: Final = {MouseEventType.SCROLL_UP: "pageup", MouseEventType.SCROLL_DOWN: "pagedown"}


class _Control(FormattedTextControl):
    """Show the lines, and pass on what the mouse does."""

    pointed: Callable[[MouseEvent], None]

    def mouse_handler(self, mouse_event: MouseEvent) -> None:
        """Pass an event of the mouse on."""
        self.pointed(mouse_event)


class Screen:
    """Show a controller's scene at the terminal from `run` until `end`."""

    def __init__(self, controller: Controller, changed: Callable[[], None]) -> None:
        """Prepare; `changed` is told after each key, as what it did may have ended it all."""
        self._controller = controller
        self._changed = changed
        self._picture = Picture([])
        self._title = ""
        self._started: Callable[[], None] = lambda: None
        control = _Control(self._fragments, focusable=True, get_cursor_position=self._cursor)
        control.pointed = self._pointed
        hidden = Condition(lambda: self._picture.cursor is None)
        window = Window(control, wrap_lines=False, always_hide_cursor=hidden)
        self._application: Application[None] = Application(
            Layout(window),
            style=Style.from_dict(dict(STYLES) if has_colour() else without_colour()),
            include_default_pygments_style=False,
            key_bindings=self._bindings(),
            full_screen=True,
            mouse_support=Condition(lambda: self._controller.scene.mouse),
            min_redraw_interval=REDRAW_S,
            after_render=self._rendered,
        )
        self._application.ttimeoutlen = ESCAPE_S
        self._application.timeoutlen = 0

    async def run(self, started: Callable[[], None]) -> None:
        """Show the scene until `end`; `started` is told once there is something to be seen.

        Whatever happens, the terminal is as it was before when this is over. Raises EOFError
        when the terminal is gone, and whatever went wrong while drawing or in a key.
        """
        self._started = started
        output = self._application.output
        output.write_raw(_PUSH_TITLE)
        try:
            await self._application.run_async(handle_sigint=False, set_exception_handler=False)
        finally:
            output.clear_title()
            output.write_raw(_POP_TITLE)
            output.flush()

    def end(self, error: BaseException | None = None) -> None:
        """Stop to show anything; with an error `run` raises it. Safe to repeat."""
        application = self._application
        if application.is_running and not application.is_done:
            if error is None:
                application.exit()
            else:
                application.exit(exception=error)

    def show(self) -> None:
        """Draw the scene anew, soon."""
        self._application.invalidate()

    def ring(self) -> None:
        """Ring the terminal's bell."""
        self._application.output.bell()
        self._application.output.flush()

    # --- the picture -------------------------------------------------------------------------

    def _guarded(self, do: Callable[[], None]) -> None:
        """Do something; what goes wrong ends all, as prompt_toolkit would print it and go on."""
        try:
            do()
        except Exception as error:
            self.end(error)

    def _fragments(self) -> StyleAndTextTuples:
        """Draw the scene for the size that the terminal has now."""
        self._guarded(self._draw)
        fragments: StyleAndTextTuples = []
        for number, drawn in enumerate(self._picture.lines):
            if number:
                fragments.append(("", "\n"))
            fragments += [(f"class:{style}" if style else "", text) for style, text in drawn]
        return fragments

    def _draw(self) -> None:
        columns, rows = self._measure()
        self._picture = draw(self._controller.scene, columns, rows)

    def _measure(self) -> tuple[int, int]:
        """Let it be known how large the terminal is, as keys depend on what is to be seen."""
        size = self._application.output.get_size()
        self._controller.resize(size.columns, size.rows)
        return size.columns, size.rows

    def _cursor(self) -> Point | None:
        cursor = self._picture.cursor
        return None if cursor is None else Point(x=cursor[1], y=cursor[0])

    def _rendered(self, _: Application[None]) -> None:
        """Keep the title in step with the picture; the first time there is something to be seen."""
        self._guarded(self._retitle)
        started, self._started = self._started, lambda: None
        started()

    def _retitle(self) -> None:
        told = title(self._controller.scene)
        if told != self._title and not self._application.is_done:
            self._title = told
            self._application.output.set_title(told)
            self._application.output.flush()

    # --- keys --------------------------------------------------------------------------------

    def _bindings(self) -> KeyBindings:
        bindings = KeyBindings()
        for key in {key for action in KEYS for key in action.keys if len(key) > 1}:
            bindings.add(key)(self._named(key))
        bindings.add(Keys.Any)(self._typed)
        bindings.add(Keys.BracketedPaste)(self._pasted)
        bindings.add("c-c")(self._interrupted)
        bindings.add("<sigint>")(self._interrupted)
        bindings.add("c-z")(self._suspended)
        return bindings

    def _named(self, key: str) -> Callable[[KeyPressEvent], None]:
        def pressed(event: KeyPressEvent) -> None:
            """Press the key by its name."""
            self._press(key)

        return pressed

    def _typed(self, event: KeyPressEvent) -> None:
        """Take a character; a key that is no character and has no action has no effect."""
        if not isinstance(event.key_sequence[0].key, Keys):
            self._press(readable(event.data))

    def _press(self, key: str) -> None:
        self._act(lambda: self._controller.press(key))

    def _act(self, do: Callable[[], None]) -> None:
        """Do what a key or the mouse asks for."""

        def act() -> None:
            """Do it on the screen as large as it is now, and draw what has come of it."""
            self._measure()
            do()
            self._changed()

        self._guarded(act)

    def _pointed(self, event: MouseEvent) -> None:
        """Take a click on a tile, or a turn of the wheel."""
        if event.event_type in _WHEEL:
            self._press(_WHEEL[event.event_type])
        elif event.event_type is MouseEventType.MOUSE_UP:
            self._act(lambda: self._click(event.position.y, event.position.x))

    def _click(self, row: int, column: int) -> None:
        tile = tile_at(self._picture, row, column)
        if tile is not None:
            self._controller.click(tile)

    def _pasted(self, event: KeyPressEvent) -> None:
        self._act(lambda: self._controller.paste(readable(event.data)))

    def _interrupted(self, event: KeyPressEvent) -> None:
        self._act(self._controller.interrupt)

    def _suspended(self, event: KeyPressEvent) -> None:
        """Give the terminal back to the shell until its `fg`."""
        event.app.suspend_to_background()


def has_colour() -> bool:
    """Tell whether the terminal has colours and the person wants them (https://no-color.org)."""
    if os.environ.get("NO_COLOR"):
        return False
    try:
        import curses
    except ImportError:
        return True  # not on a system where terminals differ in that
    try:
        curses.setupterm(fd=1)
    except curses.error:
        return True  # of a kind that nobody knows here, which is a new one
    return curses.tigetnum("colors") >= COLOURS
