"""The answers that somebody waits for: kept from all else that comes, until they are fetched."""

from collections.abc import Iterable

from passing_link import words
from passing_link.news import RequestFailed, RequestLost
from passing_protocol.messages import Error, Goodbye, Numbered, Pong

Answer = Numbered | Pong | Goodbye


class Answers:
    """Hold, by the numbers of requests, what is waited for, what has come and what never will."""

    def __init__(self) -> None:
        """Wait for nothing."""
        self._awaited: dict[int, Answer | None] = {}
        self._lost: set[int] = set()

    def expect(self, number: int) -> None:
        """Wait for the answer to a request."""
        self._awaited[number] = None

    def keep(self, number: int | None, answer: Answer) -> bool:
        """Keep an answer that is waited for; tells whether it was one."""
        if number is None or number not in self._awaited:
            return False
        self._awaited[number] = answer
        return True

    def fetch(self, number: int) -> Answer | None:
        """Return and forget an answer, None while there is none.

        Raises RequestFailed for an error, RequestLost when none can come.
        """
        answer = self._awaited[number]
        if answer is not None:
            self.forget(number)
            if isinstance(answer, Error):
                raise RequestFailed(answer)
            return answer
        if number in self._lost:
            self.forget(number)
            raise RequestLost(words.session_gone())
        return None

    def lose(self, numbers: Iterable[int]) -> None:
        """Take note that no answers will come to these requests."""
        self._lost.update(self._awaited.keys() & set(numbers))

    def forget(self, number: int) -> None:
        """Wait no longer for an answer."""
        self._awaited.pop(number, None)
        self._lost.discard(number)
