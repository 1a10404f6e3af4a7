"""What happens to a connection is told in the language that is spoken, and English tells all."""

import pytest

from passing_client.language import use
from passing_client.words.basics import reason
from passing_client.words.links import (
    bad_address_sentence,
    cannot_reach_sentence,
    lost_sentence,
    news_sentence,
    turned_away_sentence,
)
from passing_client.words.refusals import SENTENCES, refusal_sentence
from passing_link import words
from passing_link.address import Address, InvalidAddress
from passing_link.denials import AccessDenied
from passing_link.hints import hint_for
from passing_link.news import CannotReach, LinkNews, NewsKind, TurnedAway
from passing_link.transport import Sign
from passing_protocol.errors import ErrorCode
from passing_protocol.events import Fault, ForfeitKind
from passing_protocol.messages import Create, Error, Refused
from passing_protocol.views import GameOptions
from tests.support.catalogues import TRANSLATED

LOST = LinkNews(NewsKind.LOST, "The connection to den\x1b[2J is lost.", ErrorCode.DISK)


def test_in_english_the_links_own_sentence_is_told_and_is_harmless() -> None:
    assert news_sentence(LOST) == "The connection to den is lost."


@pytest.mark.parametrize("kind", AccessDenied.__subclasses__())
def test_in_english_a_denial_is_told_whole(kind: type[AccessDenied]) -> None:
    denial = kind("table.example.org:28066")
    assert news_sentence(LinkNews(NewsKind.REFUSED, str(denial), denial.code)) == str(denial)


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
        "Pelayan menolak anda. Pelayan menggunakan versi permainan yang lain: pasang yang lebih "
        "baharu di kedua-dua belah."
    )


DETAIL = "It said so in English."


def english(code: ErrorCode) -> set[str]:
    """Return what a person is told in English of a code, but for the server's own words."""
    use("en")
    return {SENTENCES[code], *told(code)}


def told(code: ErrorCode) -> list[str]:
    """Return what a person is told of a code, of the server's refusals in every form."""
    error = Error(1, code, DETAIL, False)
    news = [news_sentence(LinkNews(kind, DETAIL, code)) for kind in NewsKind]
    return [
        *news,
        lost_sentence(code),
        turned_away_sentence(TurnedAway(Refused(code, DETAIL, (0, 0)))),
        refusal_sentence(error, None, None),
        refusal_sentence(error, Create(0, "", GameOptions()), None),
    ]


@pytest.mark.parametrize("language", TRANSLATED)
@pytest.mark.parametrize("code", ErrorCode)
def test_whatever_a_server_refuses_for_is_told_in_the_language_that_is_spoken(
    code: ErrorCode, language: str
) -> None:
    plain = english(code)
    use(language)
    for sentence in told(code):
        ours = sentence.removesuffix(f" ({DETAIL})") if code is ErrorCode.MALFORMED else sentence
        assert ours
        assert DETAIL not in ours
        assert not any(words in ours for words in plain)


@pytest.mark.parametrize("language", TRANSLATED)
def test_what_a_person_can_type_in_another_way_is_named_in_the_servers_words(
    language: str,
) -> None:
    asked = Create(0, "", GameOptions())
    for code, request, is_told in (
        (ErrorCode.MALFORMED, asked, True),
        (ErrorCode.MALFORMED, None, False),
        (ErrorCode.NOT_ADMITTED, asked, False),
        (ErrorCode.NOT_ADMITTED, None, False),
    ):
        use("en")
        error = Error(1, code, DETAIL, False)
        assert refusal_sentence(error, request, None) == f"{SENTENCES[code]} {DETAIL}"
        use(language)
        sentence = refusal_sentence(error, request, None)
        assert sentence.endswith(f" ({DETAIL})") == is_told
        assert (DETAIL in sentence) == is_told


def test_a_person_with_too_many_programs_at_a_server_is_told_so_in_every_language() -> None:
    refused = TurnedAway(Refused(ErrorCode.FULL, DETAIL, (0, 0)))
    for language in TRANSLATED:
        use(language)
        assert PROGRAMS[language] in turned_away_sentence(refused)


PROGRAMS = {"el": "προγράμματ", "sv": "program", "eo": "programoj", "ms": "program"}


@pytest.mark.parametrize("language", TRANSLATED)
def test_what_is_no_address_is_told_in_every_language_with_how_one_looks(language: str) -> None:
    error = InvalidAddress("address: host '1.2' is no name")
    assert bad_address_sentence(error) == "address: host '1.2' is no name."
    use(language)
    assert "192.168.1.20" in bad_address_sentence(error)
    assert "is no name" not in bad_address_sentence(error)


DEN = Address("den.local", 28066)


def test_who_cannot_reach_a_server_is_told_in_english_all_that_is_known() -> None:
    trouble = CannotReach("Nobody is listening at den.local:28066. Gave up after 10 s.")
    assert cannot_reach_sentence(trouble, DEN) == str(trouble)


@pytest.mark.parametrize("code", TRANSLATED)
def test_what_the_link_has_no_text_for_is_told_in_general(code: str) -> None:
    use(code)
    sentence = cannot_reach_sentence(CannotReach("Something happened."), DEN)
    assert "den.local" in sentence
    assert "happened" not in sentence


@pytest.mark.parametrize("code", TRANSLATED)
def test_why_a_server_is_not_reached_and_what_to_do_is_told_in_every_language(code: str) -> None:
    told = words.of_sign(Sign.CLOSED, "[fe80::1]:28066", False, hint_for(Address("fe80::1")))
    trouble = CannotReach(words.gave_up(told, 2.5))
    use(code)
    sentence = cannot_reach_sentence(trouble, DEN)
    for value in ("[fe80::1]:28066", "fe80::1%eth0", "2.5"):
        assert value in sentence
    for english in ("listening", "interface", "Gave up"):
        assert english not in sentence
    use("en")
    assert cannot_reach_sentence(trouble, DEN) == str(trouble)


@pytest.mark.parametrize("code", TRANSLATED)
@pytest.mark.parametrize("kind", ForfeitKind)
def test_what_a_seat_is_lost_for_is_told_by_its_kind(kind: ForfeitKind, code: str) -> None:
    fault = Fault("player", "It went\x1b[2J away.", 1, kind)
    assert reason(fault) == "It went away."
    assert reason(None) == ""
    use(code)
    assert reason(fault)
    assert "away" not in reason(fault)
    assert reason(Fault("server", "It went away.")) == ""
