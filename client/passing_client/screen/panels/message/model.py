"""What is to be done now, and what is typed."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class MessageModel:
    """Hold the message with what stands out before it, and the input line.

    `short` is the message for a small screen, `style` that of both. `hint` stands
    in the input line while nothing is typed.
    """

    strong: str
    text: str
    short: str
    style: str
    label: str
    typed: str
    hint: str
