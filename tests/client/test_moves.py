"""What is typed for a tile becomes exactly one legal play, a question, or a reason."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from passing_client.moves import (
    Misfit,
    MisfitReason,
    TypedPlay,
    WhichEnd,
    choose,
    fitting_ends,
    read_end,
    read_play,
)
from passing_rules import ALL_TILES, Deal, End, Play, Round, Tile

ENDS = {End.LEFT: ("<", "left", "l", "LEFT", " <", " left"), End.RIGHT: (">", "right", "r", " >")}


@st.composite
def rounds(draw: st.DrawFn) -> Round:
    """Return a round in any position that legal actions lead to."""
    deck = draw(st.permutations(ALL_TILES))
    seats = draw(st.integers(2, 4))
    round_ = Round(Deal.from_deck(deck, seats), draw(st.integers(0, seats - 1)))
    for _ in range(draw(st.integers(0, 30))):
        codes = round_.legal_codes()
        copy = round_.copy()
        copy.apply(draw(st.sampled_from(codes)))
        if copy.ending is not None:
            break
        round_ = copy
    return round_


@st.composite
def typings(draw: st.DrawFn, tile: Tile) -> str:
    """Return one of the many ways to type a tile."""
    first, second = draw(st.permutations([str(tile.low), str(tile.high)]))
    between = draw(st.sampled_from(["", " ", "-", ":", "|", "/", " - "]))
    text = f"{first}{between}{second}"
    return draw(st.sampled_from([text, f"[{text}]", f" {text} "]))


@given(st.data())
def test_every_way_to_type_a_tile_is_that_tile(data: st.DataObject) -> None:
    tile = data.draw(st.sampled_from(ALL_TILES))
    text = data.draw(typings(tile))
    end = data.draw(st.sampled_from(list(End)))
    mark = data.draw(st.sampled_from(ENDS[end]))
    assert read_play(text) == TypedPlay(tile)
    assert read_play(text + mark) == TypedPlay(tile, end)


@given(rounds(), st.data())
def test_every_legal_play_can_be_typed(round_: Round, data: st.DataObject) -> None:
    legal = round_.legal_actions()
    hand = round_.hand(round_.to_act)
    for action in legal:
        if not isinstance(action, Play):
            continue
        mark = "" if action.end is None else data.draw(st.sampled_from(ENDS[action.end]))
        typed = read_play(data.draw(typings(action.tile)) + mark)
        assert typed is not None
        assert choose(typed, hand, legal) == action


@given(rounds(), st.sampled_from(ALL_TILES), st.sampled_from([None, *End]))
def test_what_is_chosen_is_legal_or_there_is_a_true_reason(
    round_: Round, tile: Tile, end: End | None
) -> None:
    legal = round_.legal_actions()
    hand = round_.hand(round_.to_act)
    plays = [action for action in legal if isinstance(action, Play) and action.tile == tile]
    chosen = choose(TypedPlay(tile, end), hand, legal)
    match chosen:
        case Play():
            assert chosen in plays
            assert end is None or chosen.end in (end, None)
        case WhichEnd():
            assert end is None
            assert len(plays) == 2
        case Misfit():
            held = tile in hand
            assert chosen == Misfit(tile, _reason(held, len(plays)), end if plays else None)


def _reason(held: bool, plays: int) -> MisfitReason:
    if not held:
        return MisfitReason.NOT_HELD
    return MisfitReason.OTHER_END if plays else MisfitReason.FITS_NOWHERE


@given(st.permutations(ALL_TILES), st.integers(2, 4), st.sampled_from([None, *End]))
def test_r2_4_the_first_tile_has_no_end_and_none_is_asked_for(
    deck: list[Tile], seats: int, end: End | None
) -> None:
    round_ = Round(Deal.from_deck(deck, seats), 0)
    legal = round_.legal_actions()
    for tile in round_.hand(0):
        assert choose(TypedPlay(tile, end), round_.hand(0), legal) == Play(tile, None)


@given(rounds())
def test_where_a_tile_fits_is_where_it_may_be_played(round_: Round) -> None:
    left, right = round_.left, round_.right
    ends = None if left is None or right is None else (left, right)
    legal = round_.legal_actions()
    for tile in round_.hand(round_.to_act):
        plays = [a.end for a in legal if isinstance(a, Play) and a.tile == tile and a.end]
        assert list(fitting_ends(tile, ends)) == plays


@given(st.text(max_size=12))
def test_any_text_is_read_or_refused_without_harm(text: str) -> None:
    typed = read_play(text)
    assert typed is None or sum(character.isdigit() for character in text) == 2


@pytest.mark.parametrize(
    "text", ["", "6", "645", "77", "6 4 x", "x64", "64 up", "64><", "6--4", "4,5,6", "play 64", "d"]
)
def test_what_is_no_tile_is_not_read_as_one(text: str) -> None:
    assert read_play(text) is None


@pytest.mark.parametrize("text", ["", "<>", "up", "64>", "lef", "0"])
def test_what_is_no_end_is_not_read_as_one(text: str) -> None:
    assert read_end(text) is None


@pytest.mark.parametrize(
    ("ends", "legal", "text", "expected"),
    [
        ((0, 6), "06< 06>", "06", WhichEnd(Tile(0, 6))),
        ((0, 6), "06< 06>", "60>", Play(Tile(0, 6), End.RIGHT)),
        ((6, 6), "06< 06>", "60", WhichEnd(Tile(0, 6))),
        ((0, 5), "06<", "60", Play(Tile(0, 6), End.LEFT)),
        ((0, 5), "06<", "60>", Misfit(Tile(0, 6), MisfitReason.OTHER_END, End.RIGHT)),
        ((1, 5), "", "60", Misfit(Tile(0, 6), MisfitReason.FITS_NOWHERE)),
        ((1, 5), "", "11", Misfit(Tile(1, 1), MisfitReason.NOT_HELD)),
    ],
)
def test_examples(
    ends: tuple[int, int], legal: str, text: str, expected: Play | WhichEnd | Misfit
) -> None:
    typed = read_play(text)
    assert typed is not None
    actions = [
        Play(Tile.parse(word[:2]), End.LEFT if word[2] == "<" else End.RIGHT)
        for word in legal.split()
    ]
    assert choose(typed, [Tile(0, 6)], actions) == expected
    assert all(end in fitting_ends(Tile(0, 6), ends) for end in {a.end for a in actions})
