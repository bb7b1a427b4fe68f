"""One server for all tests of a process."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest
from served import serving


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    with serving() as found:
        yield found


@pytest.fixture
def client(address: str) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=address, timeout=120, follow_redirects=True) as found:
        yield found
