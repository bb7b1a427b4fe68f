"""Whole tables through the page: uploaded, watched, downloaded."""

from __future__ import annotations

import csv
import io
import re

import httpx
import pytest
from served import finished, serving

import scoreproof
from scoreproof.web.settings import Settings

TABLE = "study,p,n,acc,sens\n" + "".join(
    f"s{i},100,200,0.9567,{'0.9100' if i % 2 else '0.8512'}\n" for i in range(8)
)


def upload(client: httpx.Client, text: str, name: str = "table.csv", **fields: str) -> httpx.Response:
    return client.post("/batch", files={"file": (name, text.encode())}, data=fields)


def test_every_row_gets_the_verdict_of_the_single_check(client: httpx.Client) -> None:
    done = finished(client, upload(client, TABLE))
    assert done.status_code == 200 and "8 rows of table.csv" in done.text
    saved = client.get(f"{done.url}/verdicts.csv").text
    rows = list(csv.DictReader(io.StringIO(saved)))
    for row in rows:
        claim = {"experiment": {"p": 100, "n": 200}, "scores": {"acc": row["acc"], "sens": row["sens"]}}
        assert row["status"] == scoreproof.check(claim).status
    assert [row["study"] for row in rows] == [f"s{i}" for i in range(8)]


def test_the_set_up_of_the_form_holds_for_rows_without_their_own(client: httpx.Client) -> None:
    done = finished(client, upload(client, "acc\n0.9567\n0.5\n", p="100", n="200"))
    assert "2 rows of table.csv" in done.text


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("table.csv", "", "empty"),
        ("table.csv", "a,b\n1,2\n", "score"),
        ("table.exe", "acc\n0.9\n", "expected a file"),
        ("table.csv", "\xff\xfe", ""),
        ("table.csv", "acc\n" + "0.9\n" * 20_001, "rows"),
    ],
)
def test_what_is_wrong_with_a_table_stands_beside_the_file(
    client: httpx.Client, name: str, text: str, says: str
) -> None:
    answer = upload(client, text, name, p="10", n="10")
    assert answer.status_code == 422
    problem = re.search(r'id="file-problem">(.*?)</p>', answer.text)
    assert problem is not None and says in problem.group(1)


def test_a_form_without_a_file_and_nonsense_are_refused(client: httpx.Client) -> None:
    assert client.post("/batch", data={"p": "1"}).status_code == 422
    headers = {"content-type": "multipart/form-data; boundary=x"}
    assert client.post("/batch", content=b"nonsense", headers=headers).status_code == 422
    assert client.post("/batch", content=b"x" * (17 * 2**20)).status_code == 413
    assert client.get("/batch/nothing").status_code == 404


def test_markup_in_a_table_is_shown_as_text(client: httpx.Client) -> None:
    evil = "<script>alert(1)</script>"
    done = finished(client, upload(client, f"study,p,n,acc\n{evil},100,200,0.12345\n", f"{evil}.csv"))
    assert evil not in done.text and "&lt;script&gt;" in done.text


def test_a_slow_table_shows_its_progress_and_can_be_stopped() -> None:
    slow = "total,folds,aggregate,mcc,f1\n" + "1900,10,mean,0.8500 ± 0.0301,0.9312 ± 0.0002\n" * 300
    settings = Settings(timeout=300, workers=1)
    with serving(settings) as address, httpx.Client(base_url=address, timeout=120) as client:
        answer = upload(client, slow)
        assert answer.status_code == 303
        running = client.get(answer.headers["location"])
        assert running.status_code == 202 and "Still working" in running.text
        # The table holds up nobody else.
        claim = {"experiment": {"p": 100, "n": 200}, "scores": {"acc": "0.9567"}}
        assert client.post("/api/check", json=claim).json()["verdict"] == "consistent"
        stop = re.search(r'action="(/jobs/\w+/stop)"', running.text)
        assert stop is not None
        while client.get(stop.group(1).removesuffix("/stop")).json()["state"] == "waiting":
            pass
        assert client.post(stop.group(1)).status_code == 303
        stopped = finished(client, answer.headers["location"]).text
        assert "Stopped after" in stopped and "not checked (300)" in stopped
        rows = client.get(f"{answer.headers['location']}/verdicts.csv").text
        assert rows.count("not checked") == 300


def test_a_table_with_semicolons_shows_its_inconsistent_rows_and_how_it_was_read(client: httpx.Client) -> None:
    text = "study;p;n;acc;year;land\na;100;200;0,9567;2019;NL\nb;100;200;0,8512;2020;US\n"
    done = finished(client, upload(client, text))
    assert re.search(r'id="rows".*0,8512', done.text, re.DOTALL) and "0,9567" not in done.text
    assert re.search(r'<th scope="row">land</th><td>not used</td>', done.text)
    assert 'id="severity"' not in done.text


def test_rows_within_one_unit_of_the_last_digit_are_counted_apart(client: httpx.Client) -> None:
    done = finished(client, upload(client, "study,p,n,acc\na,38,262,0.9434\nb,38,262,0.9483\n"))
    assert "2 inconsistent, 1 of them within one unit of the last digit." in done.text
    assert "<td>last digit</td>" in done.text and "<td>beyond</td>" in done.text


@pytest.mark.parametrize("name", ["table.md", "table.tex", "table.html", "table.txt"])
def test_documents_are_uploaded_like_tables(client: httpx.Client, name: str) -> None:
    text = {
        "md": "| model | p | n | acc |\n|--|--|--|--|\n| a | 100 | 200 | 95.67 |\n",
        "tex": "model & p & n & acc \\\\ a & 100 & 200 & 95.67 \\\\",
        "html": "<table><tr><th>model<th>p<th>n<th>acc<tr><td>a<td>100<td>200<td>95.67</table>",
        "txt": "model    p    n    acc\na      100  200  95.67\n",
    }[name.partition(".")[2]]
    done = finished(client, upload(client, text, name))
    assert "1 rows of" in done.text and "Rows that are not consistent" not in done.text


def test_a_lone_n_is_asked_about_in_the_words_of_the_page(client: httpx.Client) -> None:
    problem = r"could be the negatives or all items; say “number of negatives” above it"
    assert re.search(problem, upload(client, "study,N,acc\na,300,0.9567\n").text)
    pasted = client.post("/check", data={"table": "study,N,acc\na,300,0.9567\n"})
    assert pasted.status_code == 422 and re.search(problem, pasted.text)
    asked = client.post("/api/table", json={"table": "study,N,acc\na,300,0.9567\n"})
    assert asked.status_code == 422 and '"columns": {"N": "total"}' in asked.json()["error"]["message"]


def test_the_api_reads_tables_as_batch_does(client: httpx.Client) -> None:
    wish = {
        "table": "\tacc (%)\tsens\tland\nours\t95.67\t0.91\tNL\ntheirs\t95.67\t85.12\tUS",
        "experiment": {"p": 100, "n": 200},
    }
    found = client.post("/api/table", json=wish).json()
    assert [(row["name"], row["status"]) for row in found["rows"]] == [
        ("ours NL", "consistent"),
        ("theirs US", "inconsistent"),
    ]
    assert [row["severity"] for row in found["rows"]] == [None, "beyond"]
    assert found["columns"] == [
        {"column": "acc (%)", "read_as": "accuracy, in percent"},
        {"column": "sens", "read_as": "sensitivity, in percent (some of its figures are above 1)"},
        {"column": "land", "read_as": "not used"},
    ]
    for wrong in (
        {"table": 3},
        {"table": "x"},
        {"table": "acc\n1", "what": 1},
        {"table": "acc\n1", "columns": 1},
    ):
        assert client.post("/api/table", json=wrong).status_code == 422


def test_the_api_rebuilds_the_tables_of_a_review(client: httpx.Client) -> None:
    table = "study,TP,total,sens,spec\nSmith,,265,0.86 (0.78-0.91),0.90 (0.85-0.95)\nLee,x,60,0.800,0.857"
    smith, lee = client.post("/api/tables", json={"table": table}).json()["rows"]
    assert [smith[cell] for cell in ("TP", "FP", "FN", "TN", "unique")] == [101, 14, 17, 133, "yes"]
    assert lee["status"] == "unreadable" and "matrix.tp" in lee["note"]
    assert client.post("/api/tables", json={"table": 3}).status_code == 422


def test_a_pasted_row_that_cannot_be_read_says_why_beside_the_others(client: httpx.Client) -> None:
    table = "model,acc,sens\nours,0.9567,0.91\ntheirs,0.95x,0.85\n"
    answer = finished(client, client.post("/check", data={"p": "100", "n": "200", "table": table}))
    assert answer.status_code == 200
    assert 'class="badge consistent"' in answer.text and "0.95x" in answer.text
