"""Unmodified clients work with the API, and tell its errors apart."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.interop.client_table import ABILITIES, CLIENTS, ERRORS, InteropClient
from tests.interop.programs import YES, runs, shows
from tests.support.api.api_site import ApiSite
from tests.support.api.client_environments import said_by
from tests.support.api.task_model import TaskModel, TaskSite
from tests.support.servers.model_server import calling

pytestmark = [pytest.mark.interop, pytest.mark.long, pytest.mark.xdist_group("foreign clients")]

#: What the model asks the tool of a client; for the second, it has an error.
QUERIES = ["the station", "nowhere", "the level"]


def marks(client: InteropClient, behaviour: str) -> list[pytest.MarkDecorator]:
    is_ignored = behaviour in ERRORS and behaviour in client.answers
    shown = shows(*ABILITIES.get(behaviour, ()), cell="no" if is_ignored else YES)
    return [runs(client.name), shown]


CASES = [
    pytest.param(
        client,
        name,
        id=f"{client.name}-{name}",
        marks=marks(client, name),
    )
    for client in CLIENTS
    for name in client.behaviours
]


Heard = Callable[[InteropClient], dict[str, Any]]


def gauge_call(number: int) -> dict[str, Any]:
    return calling(f"call_{number}", "read_gauge", query=QUERIES[number])


@pytest.fixture(scope="module")
def heard_by(site: ApiSite, tasks: TaskSite) -> Heard:
    """Return what a client got for each behaviour; it is run once."""
    found: dict[str, dict[str, Any]] = {}

    def heard(client: InteropClient) -> dict[str, Any]:
        if client.script not in found:
            model = TaskModel(gauge_call, len(QUERIES), client.final_tool)
            tasks.works(model)
            said = said_by(site, client.script, is_hurried=client.is_hurried, tasks=tasks.site)
            if "task" in said:
                said["task"]["heard_of_tools"] = model.results
            found[client.script] = said
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
        assert client.tool_error in str(heard.get("heard_of_tools", client.tool_error))
        return
    name, words = client.error(behaviour)
    assert words in heard["message"], heard
    assert not name or name in heard["error"]


@pytest.mark.parametrize("client", CLIENTS, ids=lambda client: client.name)
def test_every_behaviour_is_in_the_table(heard_by: Heard, client: InteropClient) -> None:
    assert set(heard_by(client)) == set(client.behaviours)


def test_continue_waits_as_long_as_it_is_told_and_not_for_what_is_in_vain(heard_by: Heard) -> None:
    (client,) = [each for each in CLIENTS if each.script == "continue_client.mjs"]
    heard = heard_by(client)
    assert len(heard["rate"]["waits"]) == 2
    assert all(0 < seconds <= 60 for seconds in heard["rate"]["waits"])
    for kind in ("quota", "wrong_key", "context", "broken", "cut"):
        assert heard[kind]["waits"] == [], kind
