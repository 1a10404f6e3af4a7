"""Matches under faults keep every promise; the same seed does the same again."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.simulation import running
from tests.simulation.running import Chunk, main, run_all, run_chunk
from tests.simulation.simulation import simulate
from tests.simulation.tapped import Tapping

CHUNK = 25
SEEDS = 500

FOUND = {
    0: "a join was told before its seat was stored",
    51: "a table was left by all whose sessions were lost, and that was not stored",
    102: "a late hello of the same client superseded it",
    147: "the id of a table was given out again when the counters were lost",
    312: "a late hello numbered the messages of a session anew",
    535: "the tile that was drawn last was told with the hand of the next round",
    690: "an operator lets a server end twice, the second time sooner",
    761: "a server is told to end while it cannot store the deal of a round",
    1485: "a server that ends stands still",
    4971: "a player is dealt a hand and removed in one turn of the loop",
    5304: "the next list is told of with the end of the round in which a seat was forfeited",
    5353: "a join was done, and forgotten with the power: it was shown a table without a place",
    88460: "a client that had asked too much was cut, and cut again for all that it sent again",
    9175: "an engine is given the seat of one who was removed and loses it in one turn of the loop",
    9353: "an engine's last action but one comes again while its last waits to be shown",
    8874: "of a table that is paused only players are there who have forfeited",
    17790: "a server is set back again and again, and lists a tip that it was given long ago",
    18580: "a server stands still more than once, and all that was sent meanwhile comes at once",
    23428: "a resync is refused after a flood: the gap is filled when the next message comes",
    23934: "a client that knows nothing asks for its tables on a connection that is lost",
    24712: "a server is told to end on a connection of its last life",
    27648: "a server stands still for long, and what was sent before that is as late",
    29433: "a server has ended before its word that it does is there",
    30915: "a server has died before its word that it ends is there",
    35699: "an engine joins and is removed in one turn of the loop",
    35717: "a player who would leave is refused, for it has sent too much, and does not play on",
}
"""Seeds that have found a fault of the server, or of the simulation, or find it put back."""


@pytest.mark.parametrize("first", range(0, SEEDS, CHUNK))
def test_no_promise_is_broken(first: int) -> None:
    chunk = run_chunk(first, CHUNK)
    assert not chunk.failures
    assert chunk.rounds


def test_no_frame_tells_what_its_reader_may_not_know() -> None:
    for seed in range(SEEDS, SEEDS + CHUNK):
        tapping = Tapping()
        assert simulate(seed, tapping).failure is None, seed
        assert tapping.tap.frames


def test_faults_do_happen() -> None:
    chunk = run_chunk(0, CHUNK)
    assert chunk.faults > 20 * CHUNK
    assert chunk.restarts > 3 * CHUNK


@pytest.mark.parametrize("seed", FOUND, ids=FOUND.get)
def test_what_failed_once_does_not_fail_again(seed: int) -> None:
    assert simulate(seed).failure is None


def test_a_seed_has_the_same_trace_in_another_process() -> None:
    code = "from tests.simulation.simulation import simulate; print(simulate(8), simulate(79))"
    told = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONHASHSEED": "7"},
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert told.split("\n")[0] == f"{simulate(8)} {simulate(79)}"


def test_a_run_goes_on_where_it_was_stopped(tmp_path: Path) -> None:
    file = tmp_path / "run.jsonl"
    first = list(run_all(0, 3, 1, file))
    file.write_text(file.read_text() + '{"first": 50, "see')  # it was killed as it wrote
    again = list(run_all(0, 3, 1, file))
    assert [chunk.seeds for chunk in first] == [3]
    assert again == first


def test_the_command_tells_the_rate_and_how_to_repeat_a_seed(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = Chunk(0, seeds=1, rounds=1, failures=[(4, "Broken: the tiles are 27")])

    def one_chunk(*_: object) -> list[Chunk]:
        return [broken]

    monkeypatch.setattr(running, "run_all", one_chunk)
    assert main(["--seeds", "1"]) == 1
    told = capsys.readouterr().out
    assert "seed 4: Broken: the tiles are 27" in told
    assert "python -m tests.simulation --seed 4 --trace" in told
    assert "rounds/s" in told


def test_a_trace_shows_what_came_and_went(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--seed", "3", "--trace"]) == 0
    told = capsys.readouterr().out
    assert "server starts, epoch 1" in told
    assert "engine 0 > " in told
    assert "engine 0 < " in told
