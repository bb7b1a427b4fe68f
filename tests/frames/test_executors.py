"""Work shared out: the same results, in the same order, whoever does it, and nothing lost."""

from __future__ import annotations

import logging
import os
import signal
import subprocess
import sys
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from pathlib import Path

import polars as pl
import pytest

import scoreproof
from scoreproof import BadClaim
from scoreproof.batch import run as running
from scoreproof.frames.executors import each, workers


def doubled(number: int) -> int:
    return 2 * number


def fails_at_home(number: int) -> int:
    """Kills any worker that gets it; only the process that asked can do it."""
    if os.getpid() != int(os.environ["ASKED"]):
        os.kill(os.getpid(), signal.SIGKILL)
    return -number


class Lossy(Executor):
    """Loses every third task."""

    def __init__(self) -> None:
        self.handed_in = 0

    def submit(self, function, /, *words, **named):
        self.handed_in += 1
        future: Future[object] = Future()
        if self.handed_in % 3 == 0:
            future.set_exception(ConnectionError("the worker is gone"))
        else:
            future.set_result(function(*words, **named))
        return future


def test_every_task_is_done_once_whoever_does_it():
    tasks = list(enumerate(range(100)))
    expected = {number: 2 * task for number, task in tasks}
    with ThreadPoolExecutor(3) as threads:
        for executor in (None, threads, Lossy()):
            found = list(each(doubled, tasks, executor))
            assert len(found) == 100 and dict(found) == expected


def test_only_so_many_tasks_are_under_way():
    """Tasks are drawn as earlier ones are done, so that memory stays bounded."""
    drawn = 0

    def tasks():
        nonlocal drawn
        for number in range(1000):
            drawn += 1
            yield number, number

    with ThreadPoolExecutor(2) as threads:
        for done, _ in enumerate(each(doubled, tasks(), threads, ahead=5)):
            assert drawn <= done + 1 + 5


class Growing(Lossy):
    """Stands for Dask, whose workers join one by one; keeps every task under way until many are."""

    def __init__(self) -> None:
        super().__init__()
        self._client, self.waiting = self, []

    def nthreads(self) -> dict[int, int]:
        return dict.fromkeys(range(10 + self.handed_in), 1)

    def submit(self, function, /, *words, **named):
        self.handed_in += 1
        self.waiting.append((future := Future(), function(*words)))
        if len(self.waiting) == 20:
            for early, result in self.waiting:
                early.set_result(result)
            self.waiting.clear()
        return future


def test_as_many_tasks_are_under_way_as_workers_have_joined():
    """Ten workers get twenty tasks at once, and so on; with fewer, these would wait for ever."""
    assert dict(each(doubled, enumerate(range(200)), Growing())) == {k: 2 * k for k in range(200)}


def test_a_broken_pool_loses_nothing(monkeypatch, caplog):
    caplog.set_level(logging.CRITICAL, "scoreproof")
    monkeypatch.setenv("ASKED", str(os.getpid()))
    with workers(2) as pool:
        found = dict(each(fails_at_home, enumerate(range(5)), pool))
    assert found == {number: -number for number in range(5)}


@pytest.mark.parametrize("jobs", [-1, "2", True])
def test_a_number_of_jobs_is_a_whole_number(jobs):
    with pytest.raises(BadClaim, match="jobs"), workers(jobs):
        pass


def test_an_executor_can_submit():
    with pytest.raises(BadClaim, match="submit"), workers(None, "pool"):
        pass


def a_table(path: Path, rows: int) -> Path:
    frame = pl.DataFrame({"p": ["20"] * rows, "n": [str(30 + at % 17) for at in range(rows)]})
    acc = [f"0.{800 + at % 97}" for at in range(rows)]
    mcc = [f"0.{700 + at % 89}" for at in range(rows)]
    frame.with_columns(pl.Series("acc", acc), pl.Series("mcc", mcc)).write_csv(path)
    return path


def test_frames_and_files_are_the_same_with_several_processes(tmp_path):
    table = a_table(tmp_path / "in.csv", 550)
    frame = pl.read_csv(table, infer_schema=False)
    scoreproof.check_file(table, tmp_path / "one.csv")
    with workers(2) as pool:
        assert scoreproof.check_frame(frame, executor=pool).equals(scoreproof.check_frame(frame))
        scoreproof.check_file(table, tmp_path / "two.csv", executor=pool)
    assert (tmp_path / "one.csv").read_bytes() == (tmp_path / "two.csv").read_bytes()


@pytest.mark.campaign
@pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning")
def test_dask_loses_nothing_when_a_worker_is_killed(tmp_path, monkeypatch):
    """Four worker processes on this machine; one is killed as soon as it has done something."""
    distributed = pytest.importorskip("distributed")
    import dask

    from scoreproof.batch import cluster as clusters

    monkeypatch.setattr(clusters, "PATIENCE", 300)  # a busy machine starts processes slowly
    monkeypatch.setattr(running, "STRETCH", 10)
    table = a_table(tmp_path / "in.csv", 400)
    scoreproof.check_file(table, tmp_path / "local.csv")
    options = {"n_workers": 4, "threads_per_worker": 1, "processes": True, "host": "127.0.0.1"}
    patient = {"distributed.comm.timeouts.connect": "300s", "distributed.comm.timeouts.tcp": "300s"}
    with (
        dask.config.set(patient),
        distributed.LocalCluster(**options, dashboard_address=None, silence_logs=logging.CRITICAL) as cluster,
    ):
        with distributed.Client(cluster.scheduler_address) as client:
            client.wait_for_workers(4)
            processes = list(client.run(os.getpid).values())
        assert len(set(processes)) == 4 and os.getpid() not in processes
        killed = []

        def progress(done: int, total: int) -> None:
            if done and not killed:
                os.kill(processes[0], signal.SIGKILL)
                killed.append(processes[0])

        with clusters.dask_executor(cluster.scheduler_address) as executor:
            scoreproof.check_file(table, tmp_path / "dask.csv", executor=executor, progress=progress)
    assert killed
    assert (tmp_path / "dask.csv").read_bytes() == (tmp_path / "local.csv").read_bytes()


@pytest.mark.campaign
def test_the_recipe_for_slurm_runs_on_this_machine(tmp_path):
    """The same jobs, handed in to this machine instead of SLURM."""
    pytest.importorskip("dask_jobqueue")
    table, local, jobs = (tmp_path / name for name in ("in.csv", "local.csv", "jobs.csv"))
    scoreproof.check_file(a_table(table, 400), local)
    recipe = Path(__file__).parents[2] / "docs" / "recipes" / "slurm.py"
    command = [sys.executable, str(recipe), str(table), str(jobs), "--local", "--workers", "2"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True, timeout=300)
    assert "400 of 400 rows" in done.stderr
    assert jobs.read_bytes() == local.read_bytes()
