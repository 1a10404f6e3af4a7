"""What happens to a connection is told in the language that is spoken, and English tells all."""

import pytest

from passing_client.language import use
from passing_client.words.links import news_sentence, turned_away_sentence
from passing_link.news import LinkNews, NewsKind, TurnedAway
from passing_protocol.errors import ErrorCode
from passing_protocol.messages import Refused
from tests.support.catalogues import TRANSLATED

LOST = LinkNews(NewsKind.LOST, "The connection to den\x1b[2J is lost.", ErrorCode.DISK)


def test_in_english_the_links_own_sentence_is_told_and_is_harmless() -> None:
    assert news_sentence(LOST) == "The connection to den is lost."


def test_elsewhere_the_kind_is_told_and_the_reason_that_the_server_gave() -> None:
    use("sv")
    assert news_sentence(LOST) == (
        "Anslutningen är bruten; försöker få den tillbaka. "
        "Servern kan inte spara något just nu; försök igen senare."
    )


def test_of_a_server_that_has_stopped_it_is_told_what_becomes_of_the_match() -> None:
    news = LinkNews(NewsKind.LOST, "den has ended the session.", ErrorCode.DRAINING)
    assert news_sentence(news) == (
        "The connection is lost; trying to get it back. The server has stopped. What was played "
        "is kept, and goes on when it is started anew: stay, and you are back by yourself then. "
        "Who quits gives the seat up."
    )


@pytest.mark.parametrize("code", TRANSLATED)
@pytest.mark.parametrize("kind", NewsKind)
def test_each_kind_has_its_sentence(kind: NewsKind, code: str) -> None:
    use(code)
    sentence = news_sentence(LinkNews(kind, "Something happened."))
    assert sentence
    assert "happened" not in sentence


def test_who_is_turned_away_is_told_why() -> None:
    refused = TurnedAway(Refused(ErrorCode.VERSION, "speaks 1 to 2", (1, 2)))
    assert turned_away_sentence(refused) == "The server turned us away: speaks 1 to 2"
    use("ms")
    assert turned_away_sentence(refused) == (
        "Pelayan menolak anda. Pelayan menggunakan versi permainan yang lain."
    )
