"""Messages and events of a fair deal, in their shortest and their fullest form."""

from passing_protocol.events import DealRevealed, Event, RoundBegan, SeatLink, TipsAgreed
from passing_protocol.messages import (
    ClientMessage,
    Contribute,
    GiveLink,
    LinkWanted,
    ServerMessage,
    ShowTip,
    TipsOffered,
    TipsOk,
)
from passing_protocol.views import DealKind, SeatTip, Tip, TipList

SERVER_TIP = "00112233445566778899aabbccddeeff" * 2
ANN_TIP = "0123456789abcdef" * 4
BO_TIP = "fedcba9876543210" * 4
LIST_HASH = "8badf00d" * 8

TIPS = TipList(2, Tip(0, SERVER_TIP), [SeatTip(0, 0, ANN_TIP), SeatTip(1, 17, BO_TIP)])
"""The second list of a match: the software at seat 1 came after 17 deals, seat 2 has none."""

SERVER_ALONE = TipList(1, Tip(0, SERVER_TIP), [])

FAIR_CLIENT: dict[str, ClientMessage] = {
    "tip": ShowTip(28, "t1", "m7f", 0, ANN_TIP),
    "tip, after some deals": ShowTip(29, "t1", "m7f", 256, BO_TIP),
    "tips_ok": TipsOk(30, "t1", "m7f", 2, LIST_HASH),
    "link": GiveLink(31, "t1", "m7f", 18, ANN_TIP),
}
FAIR_EVENTS: dict[str, Event] = {
    "round_began, a fair deal": RoundBegan(1, 2, DealKind.FAIR, [7, 7, 7], 7, 5, 18),
    "tips_agreed": TipsAgreed("m7f", TIPS),
    "tips_agreed, by nobody but the server": TipsAgreed("m7f", SERVER_ALONE),
    "deal_revealed": DealRevealed(
        "m7f", 18, 2, SERVER_TIP, [SeatLink(0, ANN_TIP), SeatLink(1, BO_TIP)]
    ),
    "deal_revealed, void": DealRevealed(
        "m7f", 18, 2, SERVER_TIP, [SeatLink(0, ANN_TIP)], void=True, missing=[1]
    ),
}
FAIR_SERVER: dict[str, ServerMessage] = {
    "contribute": Contribute(14, "t1", "m7f", 17, 5_000),
    "tips": TipsOffered(15, "t1", "m7f", 2, TIPS.server, TIPS.seats, 5_000),
    "tips, nobody but the server": TipsOffered(16, "t1", "m7f", 1, TIPS.server, [], 5_000),
    "link_wanted": LinkWanted(17, "t1", "m7f", 2, 18, 5_000),
}
