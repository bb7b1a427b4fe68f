"""Printed reports by the page and the API: the same claims as everywhere."""

from __future__ import annotations

import httpx

import scoreproof

REPORT = """
              precision    recall  f1-score   support

         cat       0.75      0.90      0.82        10
         dog       0.88      0.70      0.78        10

    accuracy                           0.80        20
   macro avg       0.81      0.80      0.80        20
weighted avg       0.81      0.80      0.80        20
"""


def test_the_api_reads_a_report(client: httpx.Client) -> None:
    answer = client.post("/api/check", content=REPORT)
    assert answer.status_code == 200 and answer.json()["claim"] == scoreproof.from_report(REPORT)


def test_the_page_reads_a_report_wherever_it_is_pasted(client: httpx.Client) -> None:
    for box in ("claim", "table"):
        page = client.post("/check", data={box: REPORT})
        assert page.status_code == 200 and "10 cat and 10 dog" in page.text, box
        moved = client.post("/check", data={box: REPORT.replace("0.90", "0.93")})
        assert "recall (cat)" in moved.text and "inconsistent" in moved.text.lower(), box
