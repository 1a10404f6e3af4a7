"""Messages of who may come: enrolment, join codes, remembered clients; shortest and fullest."""

from typing import get_args

from passing_protocol.errors import ErrorCode
from passing_protocol.messages import (
    ClientInfo,
    ClientMessage,
    Clients,
    ClientsReport,
    Enrol,
    Enrolled,
    GuestRole,
    JoinCode,
    JoinCodeReport,
    Refused,
    Revoke,
    RevokeAll,
    Role,
    ServerMessage,
)

ANN_KEY = "rq:rM>}U?@Lns47E1%kR.o@n%FcmmsL/@{H8]yf7"
BO_KEY = "Yne@$w-vo<fVvi]a<NY6T1ed:M$fCG*[IaLV{hID"
"""Two public keys from ZeroMQ's own documents of CURVE and Z85."""

ROLES: tuple[GuestRole, ...] = get_args(GuestRole)

ACCESS_CLIENT: dict[str, ClientMessage] = {
    "enrol": Enrol((0, 0), ANN_KEY, "Ann"),
    "enrol, several versions": Enrol((0, 2), BO_KEY, "Bo"),
    **{f"join_code, {role}": JoinCode(32, role) for role in ROLES},
    "join_code, a new one": JoinCode(33, "player", new=True),
    "clients, first page": Clients(34),
    "clients, next page": Clients(35, ANN_KEY),
    "revoke": Revoke(36, "Ann"),
    "revoke_all": RevokeAll(37),
    **{f"revoke_all, {role}": RevokeAll(38, role) for role in ROLES},
}
ACCESS_SERVER: dict[str, ServerMessage] = {
    **{f"enrolled as {role}": Enrolled(Role(role), "Ann") for role in ROLES},
    "enrolled before, by a code of another role": Enrolled(Role.SPECTATOR, "Ann", Role.PLAYER),
    "refused, bad_code": Refused(ErrorCode.BAD_CODE, "This code is not good any more.", (0, 0)),
    **{
        f"join_code_report, {role}": JoinCodeReport(18, 32, role, "0W9KTVQ4", 86_400_000)
        for role in ROLES
    },
    "clients_report, none": ClientsReport(19, 34, []),
    "clients_report, of every role and more to come": ClientsReport(
        20,
        34,
        [ClientInfo(ANN_KEY, "Ann", role, 20_787, at) for at, role in enumerate(ROLES)],
        more=True,
    ),
}
