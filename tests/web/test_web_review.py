"""The tables of a review through the page: pasted or uploaded, shown, downloaded, and each row as a claim."""

from __future__ import annotations

import csv
import html
import io
import re
from html.parser import HTMLParser

import httpx
import pytest
from served import finished, serving

from scoreproof.web.settings import Settings

#: One table, printed counts that contradict the figure beside them, and several tables.
STUDIES = """study,TP,FP,FN,TN,total,prevalence,sens,spec
Smith 2019,,,,,265,,0.86 (0.78-0.91),0.90 (0.85-0.95)
Kim 2022,54,5,15,9,,,78.2%,64.2%
Lee 2021,,,,,300,12.7%,0.87,0.90
"""


def paste(client: httpx.Client, text: str, **fields: str) -> httpx.Response:
    # as a browser sends it: the field for a file is there, and empty
    return client.post("/review", files={"file": ("", b"")}, data={"table": text, **fields})


def upload(client: httpx.Client, text: str, name: str = "studies.csv", **fields: str) -> httpx.Response:
    return client.post("/review", files={"file": (name, text.encode())}, data=fields)


def problem_of(answer: httpx.Response, field: str) -> str:
    assert answer.status_code == 422
    found = re.findall(r'<p class="problem" id="([\w-]+)-problem">.*?</span>(.*?)</p>', answer.text)
    assert [name for name, _ in found] == [field]
    return html.unescape(found[0][1])


def links_of(answer: httpx.Response) -> dict[str, str]:
    """Where the names of studies lead."""
    return {
        name: html.unescape(to) for to, name in re.findall(r'<a href="(/claim[^"]*)">(.*?)</a>', answer.text)
    }


def rows_of(client: httpx.Client, done: httpx.Response) -> dict[str, dict[str, str]]:
    saved = client.get(f"{done.url}/tables.csv")
    assert saved.headers["content-disposition"] == 'attachment; filename="tables.csv"'
    return {row["study"]: row for row in csv.DictReader(io.StringIO(saved.text))}


@pytest.mark.parametrize("way", ["pasted", "tabs", "uploaded"])
def test_studies_of_different_layouts_get_their_tables(client: httpx.Client, way: str) -> None:
    if way == "uploaded":
        done = finished(client, upload(client, STUDIES))
    else:
        done = finished(client, paste(client, STUDIES.replace(",", "\t") if way == "tabs" else STUDIES))
    assert done.status_code == 200
    assert "3 studies: 1 with one table, 1 with several, 1 inconsistent." in done.text
    assert "<style" not in done.text and done.text.count("<!doctype") == 1
    rows = rows_of(client, done)
    assert [rows["Smith 2019"][cell] for cell in ("TP", "FP", "FN", "TN")] == ["101", "14", "17", "133"]
    assert [rows["Lee 2021"][cell] for cell in ("FP_lower", "FP_upper", "tables")] == ["25", "27", "3"]
    assert rows["Kim 2022"]["status"] == "inconsistent"


def test_the_name_of_a_study_opens_its_claim(client: httpx.Client) -> None:
    links = links_of(finished(client, paste(client, STUDIES)))
    verdicts = {"Smith 2019": "consistent", "Kim 2022": "inconsistent", "Lee 2021": "consistent"}
    assert links.keys() == verdicts.keys()
    for name, verdict in verdicts.items():
        opened = finished(client, links[name])
        assert opened.status_code == 200 and f'class="badge {verdict}"' in opened.text
        assert client.get(links[name].replace("/claim?", "/?")).status_code == 200


def test_a_table_of_counts_alone_and_a_row_that_cannot_be_read(client: httpx.Client) -> None:
    done = finished(client, upload(client, "study,TP,FP,FN,TN\na,1,2,3,4\nb,1,x,3,4\n"))
    rows = rows_of(client, done)
    assert (rows["a"]["unique"], rows["b"]["status"]) == ("yes", "unreadable")
    assert links_of(done).keys() == {"a"} and "matrix.fp" in done.text


@pytest.mark.parametrize("mark", [",", "\t", ";"])
def test_counts_alone_can_be_pasted(client: httpx.Client, mark: str) -> None:
    text = "study,TP,FP,FN,TN\n" + "".join(f"s{number},1,2,3,{number}\n" for number in range(501))
    done = finished(client, paste(client, text.replace(",", mark)))
    assert "501 studies: 501 with one table" in done.text
    # the page shows so many, the file has all
    assert "the first 500 studies" in done.text and len(links_of(done)) == 500
    assert client.get(f"{done.url}/tables.csv").text.count("\n") == 502


def test_the_method_of_the_intervals_can_be_said(client: httpx.Client) -> None:
    done = finished(client, paste(client, STUDIES, ci="wilson"))
    assert rows_of(client, done)["Smith 2019"]["interval_method"] != "clopper-pearson"
    assert "choose" in problem_of(paste(client, STUDIES, ci="nonsense"), "ci")


@pytest.mark.parametrize(
    ("text", "says"),
    [("", "paste a table"), (" \n ", "paste a table"), ("a,b\n1,2\n", "score"), ("nonsense", "")],
)
def test_what_is_wrong_with_pasted_text_stands_beside_it(client: httpx.Client, text: str, says: str) -> None:
    answer = paste(client, text)
    said = problem_of(answer, "table")
    assert says in said and "/tmp" not in said and "\n" not in said
    assert text.strip() in html.unescape(answer.text)  # nothing that was typed is lost


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("studies.csv", "", "empty"),
        ("studies.csv", "a,b\n1,2\n", "score"),
        ("studies.exe", STUDIES, "expected a file"),
        ("studies.csv", "study,sens\n" + "a,0.9\n" * 20_001, "more than 20,000 rows; use `scoreproof tables`"),
    ],
)
def test_what_is_wrong_with_a_file_stands_beside_it(
    client: httpx.Client, name: str, text: str, says: str
) -> None:
    assert says in problem_of(upload(client, text, name), "file")


def test_a_file_and_a_text_at_once_are_asked_about(client: httpx.Client) -> None:
    assert "a file was chosen as well" in problem_of(upload(client, STUDIES, table=STUDIES), "table")


def test_limits_hold() -> None:
    settings = Settings(most_rows=2, longest_link=20)
    with (
        serving(settings) as address,
        httpx.Client(base_url=address, follow_redirects=True, timeout=120) as client,
    ):
        assert "more than 2 rows" in problem_of(paste(client, STUDIES), "table")
        done = finished(client, paste(client, "\n".join(STUDIES.splitlines()[:2])))
        assert "Smith 2019" in done.text and not links_of(done)
        assert client.post("/review", content=b"x" * (17 * 2**20)).status_code == 413
        headers = {"content-type": "multipart/form-data; boundary=x"}
        assert client.post("/review", content=b"nonsense", headers=headers).status_code == 422
        assert paste(client, "x" * (2 * 2**20)).status_code == 422
        assert client.get("/review/nothing").status_code == 404
        # a table that was checked is not a review
        assert client.get(str(done.url).replace("/review/", "/batch/")).status_code == 404


def test_markup_in_a_study_is_shown_as_text(client: httpx.Client) -> None:
    evil = "<script>alert(1)</script>"
    done = finished(client, upload(client, f"study,TP,FP,FN,TN\n{evil},1,2,3,4\n", f"{evil}.csv"))
    assert evil not in done.text and "&lt;script&gt;" in done.text


class Fields(HTMLParser):
    """The fields of a page and what their labels are for."""

    def __init__(self) -> None:
        super().__init__()
        self.fields: set[str] = set()
        self.labels: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in ("input", "select", "textarea"):
            self.fields.add(dict(attrs)["id"] or "")
        elif tag == "label":
            self.labels.add(dict(attrs)["for"] or "")


def test_every_field_has_a_label_and_every_page_leads_there(client: httpx.Client) -> None:
    found = Fields()
    found.feed(client.get("/review").text)
    assert found.fields == found.labels == {"table", "file", "ci", "rounding", "effort", "same"}
    assert 'href="/tables"' in client.get("/").text and 'href="/review"' in client.get("/tables").text


def test_rows_about_the_same_patients_are_taken_together(client: httpx.Client) -> None:
    rows = "paper,test,total,sens,spec\nSmith,A,20,0.667,0.857\nSmith,B,20,0.333,0.643\n"
    done = finished(client, paste(client, rows, same="paper"))
    assert "Smith: only 6 positives and 14 negatives fit all 2 rows together" in html.unescape(done.text)
    problem = problem_of(paste(client, rows, same="papers"), "same")
    assert "no column that names the study is called 'papers'" in problem
    assert "is called 'sens'" in problem_of(paste(client, rows, same="sens"), "same")
