"""Unmodified clients work with the API, and tell its errors apart."""

from collections.abc import Callable
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


Heard = Callable[[InteropClient], dict[str, Any]]


@pytest.fixture(scope="module")
def heard_by(site: ApiSite) -> Heard:
    """Return what a client got for each behaviour; it is run once."""
    found: dict[str, dict[str, Any]] = {}

    def heard(client: InteropClient) -> dict[str, Any]:
        if client.script not in found:
            found[client.script] = said_by(site, client.script, is_hurried=client.is_hurried)
        return found[client.script]

    return heard


@pytest.mark.parametrize(("client", "behaviour"), CASES)
def test_a_client_gets_the_answer_or_its_error(
    heard_by: Heard, client: InteropClient, behaviour: str
) -> None:
    heard = heard_by(client)[behaviour]
    answer = client.answer(behaviour)
    if answer is not None:
        assert answer in str(heard["result"]), heard
        return
    name, words = client.error(behaviour)
    assert words in heard["message"], heard
    assert not name or name in heard["error"]


@pytest.mark.parametrize("client", CLIENTS, ids=lambda client: client.script)
def test_every_behaviour_is_in_the_table(heard_by: Heard, client: InteropClient) -> None:
    assert set(heard_by(client)) == set(client.behaviours)


def test_continue_waits_as_long_as_it_is_told_and_not_for_what_is_in_vain(heard_by: Heard) -> None:
    (client,) = [each for each in CLIENTS if each.script == "continue_client.mjs"]
    heard = heard_by(client)
    assert len(heard["rate"]["waits"]) == 2
    assert all(0 < seconds <= 60 for seconds in heard["rate"]["waits"])
    for kind in ("quota", "wrong_key", "context", "broken", "cut"):
        assert heard[kind]["waits"] == [], kind
