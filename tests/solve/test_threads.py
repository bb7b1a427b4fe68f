"""Searches multiply on one thread, and leave the threads of everybody else as they were."""

from __future__ import annotations

import pytest
import scipy.linalg  # noqa: F401  (it brings a library of its own)
from threadpoolctl import threadpool_info

import scoreproof
from scoreproof.solve import threads
from scoreproof.solve.sums import search

CLAIM = {
    "experiment": {"p": 30, "n": 50, "folds": 5, "stratified": True, "aggregate": "mean"},
    "scores": {"acc": "0.8625", "f1": "0.8217"},
}


def blas() -> list[int]:
    return [each["num_threads"] for each in threadpool_info() if each["user_api"] == "blas"]


def test_a_search_multiplies_on_one_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENBLAS_NUM_THREADS", raising=False)
    scoreproof.check(CLAIM)  # all that is needed is loaded
    seen, run = [], search.Search.run

    def watched(self: search.Search) -> object:
        seen.append(blas())
        return run(self)

    monkeypatch.setattr(search.Search, "run", watched)
    before = blas()
    scoreproof.check(CLAIM)
    assert seen and all(each == 1 for numbers in seen for each in numbers)
    assert blas() == before


def test_threads_come_back_after_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENBLAS_NUM_THREADS", raising=False)
    before = blas()
    with pytest.raises(ZeroDivisionError), threads.one_thread():
        assert set(blas()) <= {1}
        raise ZeroDivisionError
    assert blas() == before
