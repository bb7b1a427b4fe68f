"""The server under the page: who is let in, how long it waits for what is sent, and what it writes down."""

from __future__ import annotations

import re
import socket
import time
from collections.abc import Iterator
from contextlib import suppress

import httpx
import pytest
from served import program, serving
from test_web_api import CLAIMS, SLOW, SLOWLY

from scoreproof.web.links import pack
from scoreproof.web.serving import Patient
from scoreproof.web.settings import Settings

TOKEN = "a token that nobody guesses"
HTML = {"accept": "text/html"}
FORM = b"Content-Type: multipart/form-data; boundary=x\r\n"


def port_of(address: str) -> tuple[str, int]:
    host, _, port = address.removeprefix("http://").rpartition(":")
    return host, int(port)


# -- refusals are pages ----------------------------------------------------------


def test_what_is_refused_is_a_page_with_a_way_out_for_a_browser(client: httpx.Client) -> None:
    large = client.post("/batch", content=b"x" * (17 * 2**20), headers=HTML)
    assert large.status_code == 413 and "More than 16 MiB were sent" in large.text
    assert '<a class="button" href="/batch">' in large.text
    strange = client.get("/", headers={**HTML, "host": "evil.example"})
    assert strange.status_code == 400 and re.search(r'href="http://127.0.0.1:\d+/"', strange.text)
    foreign = client.post("/check", headers={**HTML, "origin": "http://evil.example"})
    assert foreign.status_code == 403 and "Requests from other sites are refused." in foreign.text
    for page in (large, strange, foreign):
        assert page.headers["content-type"].startswith("text/html") and "<h1>" in page.text


# -- time ------------------------------------------------------------------------


def test_connections_that_dawdle_are_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Patient, "head", 1.0)
    monkeypatch.setattr(Patient, "whole", 3.0)
    begun = [
        b"",  # not a word
        b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ",  # half of a head
        b"POST /nothing HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000\r\n\r\nx",  # answered, but not done
        b"POST /api/check HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000\r\n\r\nx",
    ]
    with serving(Settings(workers=1, longest_pause=1.5)) as address:
        held = []
        for words in begun * 25:
            held.append(socket.create_connection(port_of(address), timeout=20))
            held[-1].sendall(words)
        until = time.monotonic() + 6
        while time.monotonic() < until:  # every now and then a byte, so that none of them is silent
            time.sleep(0.4)
            for each in held:
                with suppress(OSError):
                    each.sendall(b"x")
        for each in held:
            each.settimeout(5)
            with suppress(ConnectionError):
                while each.recv(65536):
                    pass
            each.close()
        assert httpx.get(f"{address}/about", timeout=30).status_code == 200


def test_a_body_that_stops_coming_is_answered(client: httpx.Client) -> None:
    with (
        serving(Settings(workers=1, longest_pause=0.5)) as address,
        socket.create_connection(port_of(address), timeout=20) as slow,
    ):
        slow.sendall(b"POST /api/check HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000\r\n\r\n{")
        answer = slow.recv(65536)
    assert answer.startswith(b"HTTP/1.1 408 ")


# -- what is written down ----------------------------------------------------------


def test_a_request_is_one_line_without_the_claim_and_a_disconnect_no_traceback() -> None:
    claim = pack(CLAIMS["consistent"])
    with program("--log") as (address, log):
        with httpx.Client(base_url=address, timeout=60) as client:
            assert client.get(f"/claim?c={claim}").status_code == 200
            assert client.get("/nothing%0Aat%20all").status_code == 404
            with pytest.raises(httpx.ReadTimeout):
                client.post(f"/api/check?effort={SLOWLY}", json=SLOW, timeout=1.0)
        for path in (b"/api/check", b"/check", b"/batch"):
            with socket.create_connection(port_of(address)) as gone:
                head = b"POST %s HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000\r\n%s\r\n--x\r\n" % (
                    path,
                    FORM,
                )
                gone.sendall(head)
                time.sleep(0.2)
        with httpx.Client(base_url=address, timeout=60) as client:
            assert client.get("/about").status_code == 200
        time.sleep(0.5)
        lines = log.read_text().splitlines()
    assert all(re.fullmatch(r"\d{4}-\S+ [A-Z]+ /\S* \d{3} \d+ ms", line) for line in lines), lines
    assert sum(" GET /claim 200 " in line for line in lines) == 1
    assert sum(" POST /api/check 499 " in line for line in lines) == 2
    assert sum(" POST /batch 499 " in line for line in lines) == 1


def test_nothing_is_written_down_unless_asked() -> None:
    with program() as (address, log):
        assert httpx.get(f"{address}/about", timeout=60).status_code == 200
        assert log.read_text() == ""


# -- a server for others -------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--host", "0.0.0.0"], "needs a token"),
        (["--allow-host", "lab.example.org"], "needs a token"),
        (["--proxy"], "needs a token"),
        (["--host", "0.0.0.0", "--token", TOKEN], "--allow-host"),
        (["--token", "short"], "at least 16 characters"),
    ],
)
def test_nobody_else_is_let_in_without_a_token(options: list[str], says: str) -> None:
    from click.testing import CliRunner

    from scoreproof.cli.serve import serve

    result = CliRunner().invoke(serve, [*options, "--no-browser"])
    assert result.exit_code != 0 and says in str(result.exception) + result.output


@pytest.fixture(scope="module")
def shared() -> Iterator[str]:
    settings = Settings(
        workers=1, token=TOKEN, hosts=frozenset({"lab.example.org"}), proxy=True, requests_a_second=5,
        requests_at_once=40, most_under_way=4, most_long=1,
    )  # fmt: skip
    with serving(settings) as address:
        yield address


def as_client(address: str, who: str, **headers: str) -> httpx.Client:
    return httpx.Client(base_url=address, timeout=60, headers={"x-forwarded-for": f"6.6.6.6, {who}", **headers})


def test_programs_need_the_token_and_people_sign_in(shared: str) -> None:
    with as_client(shared, "10.0.0.1") as client:
        refused = client.post("/api/check", json=CLAIMS["consistent"])
        assert refused.status_code == 401 and refused.headers["www-authenticate"] == "Bearer"
        assert refused.json()["error"]["field"] == "request"
        for token, status in ((TOKEN, 200), (TOKEN + "x", 401), ("x", 401)):
            headers = {"authorization": f"Bearer {token}"}
            assert client.post("/api/check", json=CLAIMS["consistent"], headers=headers).status_code == status
        claim = f"/claim?c={pack(CLAIMS['consistent'])}"
        way = client.get(claim, headers=HTML)
        assert way.status_code == 303 and way.headers["location"].startswith("/sign-in?to=%2Fclaim%3Fc%3D")
        form = client.get(way.headers["location"], headers=HTML)
        to = re.search(r'name="to" value="([^"]+)"', form.text)
        assert to is not None and to.group(1) == claim
        wrong = client.post("/sign-in", data={"token": "no", "to": claim}, headers=HTML)
        assert wrong.status_code == 403 and "This is not the token." in wrong.text
        right = client.post("/sign-in", data={"token": TOKEN, "to": claim}, headers=HTML)
        assert right.status_code == 303 and right.headers["location"] == claim
        cookie = right.headers["set-cookie"]
        assert "HttpOnly" in cookie and "samesite=strict" in cookie.lower() and TOKEN not in cookie
        assert client.get(claim, headers=HTML).status_code == 200
        for elsewhere in ("//evil.example/", "https://evil.example/", "/\\evil.example"):
            back = client.post("/sign-in", data={"token": TOKEN, "to": elsewhere}, headers=HTML)
            assert back.headers["location"] == "/"
        assert client.post("/sign-out").status_code == 303
        assert client.get("/", headers=HTML).status_code == 303


def test_the_cookie_is_secure_where_the_proxy_speaks_https(shared: str) -> None:
    with as_client(shared, "10.0.0.2", **{"x-forwarded-proto": "https"}) as client:
        assert "Secure" in client.post("/sign-in", data={"token": TOKEN}).headers["set-cookie"]


def test_it_goes_by_the_names_it_was_given(shared: str) -> None:
    bearer = {"authorization": f"Bearer {TOKEN}"}
    with as_client(shared, "10.0.0.3", **bearer) as client:
        assert client.get("/about", headers={"host": "lab.example.org"}).status_code == 200
        assert client.get("/about", headers={"host": "evil.example.org"}).status_code == 400
        origin = {"host": "lab.example.org", "origin": "https://lab.example.org"}
        assert client.post("/api/check", json=CLAIMS["consistent"], headers=origin).status_code == 200


def test_a_client_that_asks_too_much_waits_and_the_others_do_not(shared: str) -> None:
    bearer = {"authorization": f"Bearer {TOKEN}"}
    with as_client(shared, "10.0.0.4", **bearer) as client, as_client(shared, "10.0.0.5", **bearer) as other:
        answers = [client.get("/about", headers=HTML) for _ in range(80)]
        refused = [each for each in answers if each.status_code == 429]
        assert len(answers) - len(refused) >= 40 and refused
        assert int(refused[0].headers["retry-after"]) >= 1 and "<h1>" in refused[0].text
        assert other.get("/about").status_code == 200


def test_a_client_has_only_so_much_work_under_way(shared: str) -> None:
    bearer = {"authorization": f"Bearer {TOKEN}"}
    rows = "total,folds,aggregate,mcc,f1\n" + "1900,10,mean,0.8500 ± 0.0301,0.9312 ± 0.0002\n" * 30
    with as_client(shared, "10.0.0.6", **bearer) as client, as_client(shared, "10.0.0.7", **bearer) as other:
        sent = [client.post("/batch", files={"file": ("t.csv", rows.encode())}) for _ in range(2)]
        pages = [client.get(each.headers["location"], headers=HTML) for each in sent]
        assert [page.status_code for page in pages] == [202, 429]
        assert "wait for one of them, or stop it" in pages[1].text
        assert other.post("/api/check", json=CLAIMS["consistent"]).status_code == 200
        job = re.search(r'data-job="([^"]+)"', pages[0].text)
        assert job is not None and client.post(f"{job.group(1)}/stop").status_code == 303
