"""Sentences that know the texts they are made of, so that they can be said in another language."""

from collections.abc import Mapping, Sequence
from typing import Final, Self


class Sentence(str):
    """Be a sentence for people in English, or several, and hold them with their places left open.

    `texts` are those sentences, `values` what stands in the places of all of them, by name.
    """

    __slots__ = ("texts", "values")
    texts: Sequence[str]
    values: Mapping[str, str]

    def __new__(cls, texts: Sequence[str], values: Mapping[str, str]) -> Self:
        """Fill the places in."""
        made = super().__new__(cls, " ".join(texts).format(**values))
        made.texts, made.values = texts, values
        return made

    def then(self, other: "Sentence") -> "Sentence":
        """Return this and something more; a place that both name is the same."""
        return Sentence((*self.texts, *other.texts), {**self.values, **other.values})


NOTHING: Final = Sentence((), {})


def sentence(text: str, **values: str) -> Sentence:
    """Return one sentence. The catalogues take it from where this is called with a literal."""
    return Sentence((text,), values)
