"""The Passing Game's rules, pure: no input or output, no clock, no randomness of their own."""

from passing_rules.actions import (
    Action,
    ActionRecord,
    Draw,
    End,
    IllegalAction,
    InvalidAction,
    Pass,
    Play,
    Refusal,
    ends_after,
    parse_action,
)
from passing_rules.deal import UNDRAWABLE, Deal, InvalidDeal
from passing_rules.masks import DRAW_CODE, PASS_CODE, action_of, code_of
from passing_rules.match import InvalidLog, LogEntry, Match, RoundBegun, RoundNotDue
from passing_rules.options import Lead, OptionError, Options, PartnerScoring, Preset
from passing_rules.round import Ending, InvalidLeader, Placed, Round
from passing_rules.scoring import (
    MatchEnding,
    RoundResult,
    RoundScore,
    match_ending,
    match_winner,
    next_leader,
    score_round,
    scores_after,
)
from passing_rules.tiles import ALL_TILES, InvalidTile, Tile

__all__ = [
    "ALL_TILES",
    "DRAW_CODE",
    "PASS_CODE",
    "UNDRAWABLE",
    "Action",
    "ActionRecord",
    "Deal",
    "Draw",
    "End",
    "Ending",
    "IllegalAction",
    "InvalidAction",
    "InvalidDeal",
    "InvalidLeader",
    "InvalidLog",
    "InvalidTile",
    "Lead",
    "LogEntry",
    "Match",
    "MatchEnding",
    "OptionError",
    "Options",
    "PartnerScoring",
    "Pass",
    "Placed",
    "Play",
    "Preset",
    "Refusal",
    "Round",
    "RoundBegun",
    "RoundNotDue",
    "RoundResult",
    "RoundScore",
    "Tile",
    "action_of",
    "code_of",
    "ends_after",
    "match_ending",
    "match_winner",
    "next_leader",
    "parse_action",
    "score_round",
    "scores_after",
]
