"""Every limit of the server in one place; most are announced in `welcome`."""

from passing_protocol.limits import CLIENT_FRAME_LIMIT, SERVER_FRAME_LIMIT, Heartbeat, Limits
from passing_protocol.names import CHAT_CHARS, NAME_COLUMNS

LIMITS = Limits(
    frame_in=CLIENT_FRAME_LIMIT,
    frame_out=SERVER_FRAME_LIMIT,
    sessions=1_000,
    tables=256,
    tables_each=4,
    watchers=32,
    messages_per_s=64,
    burst=128,
    chat_chars=CHAT_CHARS,
    chat_count=5,
    chat_window_ms=10_000,
    name_columns=NAME_COLUMNS,
)
HEARTBEAT = Heartbeat(interval_ms=3_000, timeout_ms=10_000)

SESSIONS_EACH = 8
"""So many sessions the key of a remembered client may hold at a time."""

ENGINES_EACH = 64
"""So many it may hold where its programs are engines, or organise."""

FORGET_MS = 600_000
"""A session that is away and holds no seat is forgotten after this long."""

SCAN_MS = 20
"""Deadlines are looked at no more often than this: they are as exact as that."""

CLOCK_MS = 2_000
"""A running clock is stored again when what is stored of it is older than this.

That is looked for once a sweep, so a crash gives back at most CLOCK_MS and SWEEP_MS of a turn.
"""

SWEEP_MS = 1_000
"""How often sessions that are silent and invitations that are over are looked for."""

TABLES_PER_PAGE = 64
"""The lobby is answered in pages of at most this many tables, and as many engines."""

KEPT_ANSWERS = 64
"""The answers to this many requests are kept, so that a repeated request gets the same."""

REPLAY_BYTES = SERVER_FRAME_LIMIT
"""Of what a session was sent no more than this is kept for a replay."""

ORGANISER_SCALE = 64
"""An organiser may send so many times what others may: it runs many tables at once."""

RESYNC_COST = 16
"""A `resync` counts as this many messages: it may bring all that is kept."""

HELLO_BURST = 8
HELLOS_PER_S = 1
"""How often a connection may say hello: tokens are guessed no faster than this."""

LOBBY_COST = 8
"""A look at the lobby counts as this many messages: a page of it is long."""

EXCESS_BURST = 256
EXCESS_PER_S = 64
"""How many messages beyond its limits a connection may send before it is cut."""

CONNECTIONS_KEPT = 4_096
"""What is counted for each connection is kept for this many, of the newest."""

ROUTING_IDS_KEPT = 32_768
"""So many routing ids stay taken, the newest: more than can come while a session may be silent."""

KNOCK_BURST = 256
KNOCKS_PER_S = 16
"""So often another machine may connect: routing ids count up, and could be found by trying."""

DRAIN = 256
DRAIN_NS = 3_000_000
"""At most so many messages are read, and for so long, before what they caused is sent.

Who sends much is read in turns with all others, so that this is how long it delays them.
"""

HANDSHAKES = 64
"""So many are decided on in a turn: a flood of them must not hold up the others."""

READ_FIRST = 1_024
"""While messages wait to be read, one connection comes in after so many: more bring more."""

UNHEARD_KEPT = 1_024
"""So many connections may be open of which no message has come, those in a handshake too."""

CONNECTIONS_EACH = 128
"""So many the key of another machine's programs may have, with a session and without."""

RETRY_MS = 1_000
"""How often it is tried again to store what could not be stored."""

RATE_MS = 10_000
"""Rates are those of this long a time, or of the life of the server."""

ANSWERS_TIMED = 4_096
"""How long answers take is known of this many messages, the newest."""

GAP_MS = 5_000
"""A longer time without a tick is not counted: the process was stopped."""

PAGE_BYTES = 56_000
"""A page of the lobby is no longer than this, so that one fits into a frame."""

LOOK_MS = 100
"""How often it is looked how many bytes each connection has sent."""

UNFINISHED_BYTES = 65_536
"""So much may have come from a connection beside its whole messages, or it is cut."""

UNREAD_BYTES = 1_048_576
"""So much may have come from it while the server is behind with reading, or it is cut."""

UNTAKEN_BYTES = 131_072
"""Nothing more is sent to a connection while so much is on its way to it."""

QUERY_BURST = 32
QUERIES_PER_S = 16
"""How often one host's queries for servers are answered; who looks once sends some ten."""

ALL_QUERIES_BURST = 256
ALL_QUERIES_PER_S = 128
"""How often those of all hosts are answered."""

QUERIES_AT_ONCE = 16
"""So many queries are read before anything else goes on."""

DENIALS_MS = 60_000
"""Connections that were not let in are remembered for this long."""

DENIALS_EACH = 5
"""After so many of them no new client is taken from an address; who is remembered comes in."""

DENIALS_IN_ALL = 60
"""After so many of them no new client is taken from any other machine."""

DENIALS_KEPT = 1_024
"""No more of them than this are counted."""

DENIED_ADDRESSES = 4_096
"""Addresses for which they are counted each; of more, the newest."""

CODE_LIFE_S = 86_400
"""For how long a join code is good."""

MOST_CLIENTS = 1_000
"""So many clients are remembered; then some have to be revoked before another can enrol."""

CLIENTS_PER_PAGE = 128
"""The remembered clients are told in pages of at most this many."""

ENROL_BURST = 8
ENROLS_PER_S = 1
"""How often clients enrol by one code: each time a file is written and synced before the answer."""

RENAMES_PER_S = 1
"""How often new names are written down, those of all together; the last ones are known."""

CLOCK_SLACK_S = 3_600
"""By so much the clock on the wall may be put back, and codes are good still."""

GOODBYE_MS = 1_000
"""A connection that is sent away is closed after this long: the goodbye has to reach it first."""
