"""Unmodified clients work with the API, and tell its errors apart."""

from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from tests.interop.client_table import CLIENTS, InteropClient
from tests.support.api.api_site import ApiSite
from tests.support.api.client_environments import said_by

pytestmark = [pytest.mark.interop, pytest.mark.long, pytest.mark.xdist_group("foreign clients")]

CASES = [
    pytest.param(client, name, id=f"{client.script.partition('_client')[0]}-{name}")
    for client in CLIENTS
    for name in client.behaviours
]


@pytest.fixture(scope="module")
def heard_by(site: ApiSite) -> Callable[[str], dict[str, Any]]:
    """Return what a client got for each behaviour; it is run once."""
    return cache(lambda script: said_by(site, script))


@pytest.mark.parametrize(("client", "behaviour"), CASES)
def test_a_client_gets_the_answer_or_its_error(
    heard_by: Callable[[str], dict[str, Any]], client: InteropClient, behaviour: str
) -> None:
    heard = heard_by(client.script)[behaviour]
    answer = client.answer(behaviour)
    if answer is not None:
        assert answer in str(heard["result"]), heard
        return
    name, words = client.error(behaviour)
    assert words in heard["message"], heard
    assert not name or name in heard["error"]


@pytest.mark.parametrize("client", CLIENTS, ids=lambda client: client.script)
def test_every_behaviour_is_in_the_table(
    heard_by: Callable[[str], dict[str, Any]], client: InteropClient
) -> None:
    assert set(heard_by(client.script)) == set(client.behaviours)
