"""Figures: what is saved, in which format, and that nothing of the user's is touched."""

from __future__ import annotations

import builtins
import io

import pytest

from scoreproof import BadClaim
from scoreproof.plots import style

MAGIC = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}


def drawn():
    fig = style.figure(3, 2)
    [axes] = style.panels(fig, x="time (s)", y="share", titles=["a"])
    axes.plot([0, 1], [0, 1], color=style.BLUE)
    return fig


@pytest.mark.parametrize("format", style.FORMATS)
def test_a_figure_is_saved_in_the_format_of_its_name_and_always_the_same(format, tmp_path):
    first, second = tmp_path / f"one.{format}", tmp_path / f"two.{format.upper()}"
    style.save(drawn(), first)
    style.save(drawn(), second)
    assert first.read_bytes().startswith(MAGIC[format])
    assert first.read_bytes() == second.read_bytes()


def test_a_buffer_takes_a_figure_and_text_stays_text():
    buffer = io.BytesIO()
    style.save(drawn(), buffer, "svg")
    text = buffer.getvalue().decode()
    assert "<svg" in text and "time (s)" in text


@pytest.mark.parametrize(
    ("to", "format"), [("power.jpg", None), ("power", None), (io.BytesIO(), None), ("a.png", "gif")]
)
def test_other_formats_are_refused_in_one_sentence(to, format):
    with pytest.raises(BadClaim, match="png"):
        style.save(drawn(), to, format)


def test_a_folder_that_is_not_there_is_named(tmp_path):
    with pytest.raises(BadClaim, match="cannot write"):
        style.save(drawn(), tmp_path / "no" / "a.png")


def test_settings_of_the_user_stay_as_they_were():
    import matplotlib

    before = dict(matplotlib.rcParams)
    style.save(drawn(), io.BytesIO(), "svg")
    assert dict(matplotlib.rcParams) == before


def test_without_matplotlib_one_sentence_says_what_to_install(monkeypatch):
    real = builtins.__import__

    def missing(name, *more, **extra):
        if name.partition(".")[0] == "matplotlib":
            raise ImportError(name)
        return real(name, *more, **extra)

    monkeypatch.setattr(builtins, "__import__", missing)
    with pytest.raises(BadClaim, match=r'pip install "scoreproof\[plots\]"'):
        style.figure()


def test_the_colours_are_all_different():
    assert len(set(style.PALETTE)) == len(style.PALETTE) == len(style.MARKERS) == len(style.DASHES)
