"""Fair deals at one table: tips, a list, links, the reveal, and every way on which one can end."""

from passing_protocol.events import MatchBegan, RoundBegan
from passing_protocol.fair_messages import Contribute, LinkWanted, TipsOffered
from passing_protocol.views import TableState
from passing_rules import Options
from passing_table import view
from tests.support.fair_sitting import FairSitting, fair

ANNA, BOB, CYD = fair("anna"), fair("bob"), fair("cyd")


def began(sitting: FairSitting) -> list[RoundBegan]:
    return [event for event in sitting.told(RoundBegan) if isinstance(event, RoundBegan)]


def test_a_deal_takes_a_tip_an_agreement_and_a_link_of_everyone() -> None:
    sitting = FairSitting(Options.of(2))
    sitting.sit(ANNA, BOB)
    sitting.ready("anna", "bob")
    for kind in (Contribute, TipsOffered, LinkWanted):
        assert isinstance(sitting.wanted("anna"), kind)
        sitting.answer("anna")
        assert sitting.wanted("anna") is None
        assert sitting.state() is TableState.STARTING
        sitting.answer("bob")
    assert sitting.state() is TableState.PLAYING
    assert [event.deal_number for event in began(sitting)] == [1]
    kinds = [type(event).__name__ for event in sitting.events[-3:]]
    assert kinds == ["MatchBegan", "TipsAgreed", "RoundBegan"]
    assert sitting.told(MatchBegan) == [MatchBegan("m1", 101)]
    assert sitting.contributors() == [0, 1]
    shown = view.public_view(sitting.table, "")
    assert (shown.tips, shown.deal_number) == (sitting.agreed[-1].tips, 1)


def test_the_links_are_shown_when_the_round_is_over_and_the_deal_follows_from_them() -> None:
    sitting = FairSitting(Options.of(3))
    sitting.begin(ANNA, BOB, CYD)
    assert sitting.reveals == []
    sitting.pass_round()
    assert [event.deal for event in sitting.reveals] == [1]
    assert sitting.state() is TableState.BETWEEN
    sitting.next_round()
    assert [event.deal_number for event in began(sitting)] == [1, 2]
    assert len(sitting.agreed) == 1
    sitting.pass_round()
    sitting.verify_dealt()
    assert [event.deal for event in sitting.reveals] == [1, 2]
