"""What a server says of itself, for its operator to read."""

from collections.abc import Iterator, Sequence

from passing_protocol.messages import StatusReport
from passing_protocol.views import TableState

MB = 1_000_000
UNITS = ((86_400, "d"), (3_600, "h"), (60, "min"), (1, "s"))
OUTLIVE = {
    "full": "outlive a loss of power",
    "fast": "outlive the end of the process, but perhaps not a loss of power",
    "none": "are not stored",
}


def status_lines(report: StatusReport) -> Iterator[str]:
    """Yield a report as lines, one a subject."""
    ending = ", and ending: nothing new is taken" if report.draining else ""
    yield f"Up for {lasting(report.uptime_ms)}{ending}."
    tables = [f"{report.tables[state]} {state}" for state in TableState if state in report.tables]
    yield f"Tables: {', '.join(tables) or 'none'}."
    sessions = [f"{s.connected + s.away} {s.role} ({s.away} away)" for s in report.sessions]
    yield f"Sessions: {', '.join(sessions) or 'none'}."
    if report.clients or report.denials:
        yield (
            f"Clients remembered: {report.clients}. Connections not admitted within the last "
            f"minute: {report.denials}."
        )
    if report.enrolment_paused:
        yield "ENROLMENT IS PAUSED: those were so many that no code is taken from other machines."
    yield (
        f"Lately, a second: {report.in_per_s} messages in, {report.out_per_s} out, "
        f"{report.commits_per_s} commits."
    )
    yield (
        f"Answers take {report.answer_p50_us / 1_000:.1f} ms, and 99 of 100 no longer than "
        f"{report.answer_p99_us / 1_000:.1f} ms."
    )
    yield f"Memory: {report.memory / MB:.0f} MB."
    if report.ailment is None:
        yield f"The store works. Tables that people make {OUTLIVE[report.durability]}."
    else:
        yield f"NOTHING CAN BE STORED, so nobody plays: {report.ailment}"


def lasting(milliseconds: int, units: Sequence[tuple[int, str]] = UNITS) -> str:
    """Return a length of time in its two greatest units: `3 h 12 min`, and `3 h` where it is even.

    `units` are those that are meant, each in seconds, the greatest first.
    """
    left = milliseconds // 1_000
    parts: list[tuple[int, str]] = []
    for size, unit in units:
        number, left = divmod(left, size)
        if number or parts:
            parts.append((number, unit))
    return " ".join(f"{number} {unit}" for number, unit in parts[:2] if number) or "0 s"
