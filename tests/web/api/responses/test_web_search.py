"""Responses search the web with the site's tool, as OpenAI's API does."""

import json
from typing import TYPE_CHECKING

import pytest
from django.test import override_settings

from chat.conversations.tool_calls.models import StoredToolCall
from tests.support.api.api_client import LOOK_UP, MODEL, ApiClient
from tests.support.api.responses_client import respond, streamed
from tests.support.api.sdk_types import require_conforming
from tests.support.generations.send import DONE
from tests.support.imported_later import imported_later
from tests.support.upstream.raw_upstream import in_turn, stream_of
from tests.support.upstream.upstream_override import site_with
from tests.support.web.asked_models import body

if TYPE_CHECKING:
    from openai.types import responses
else:
    responses = imported_later("openai.types.responses")

pytestmark = pytest.mark.usefixtures("no_network_jobs")
QUESTION = "Search the web for the lighthouse of Lindholm"
FUNCTION = {"type": "function", **LOOK_UP["function"], "parameters": {"type": "object"}}


@pytest.mark.parametrize("kind", ["web_search", "web_search_preview", "web_search_2025_08_26"])
async def test_a_response_cites_pages(program: ApiClient, kind: str) -> None:
    tools = [{"type": kind, "search_context_size": "low"}]
    response = (await respond(program, QUESTION, model=MODEL, tools=tools)).json()
    require_conforming(responses.Response, response)
    search, message = response["output"]
    assert (search["type"], search["status"]) == ("web_search_call", "completed")
    assert search["action"]["query"] == "the lighthouse of Lindholm"
    (part,) = message["content"]
    first = part["annotations"][0]
    assert first["type"] == "url_citation"
    assert first["url"].startswith("https://lindholm.example/lighthouse")
    assert part["text"][first["start_index"] : first["end_index"]] == "[1]"
    assert not await StoredToolCall.objects.aexists()


async def test_a_stream_announces_the_search_before_the_text(program: ApiClient) -> None:
    events = await streamed(program, QUESTION, model=MODEL, tools=[{"type": "web_search"}])
    kinds = [each["type"] for each in events]
    done = kinds.index("response.web_search_call.completed")
    assert done < kinds.index("response.output_text.delta")
    assert "response.output_text.annotation.added" in kinds
    assert "response.file_search_call.completed" not in kinds


async def test_functions_of_the_program_are_called_as_before(program: ApiClient) -> None:
    tools = [{"type": "web_search"}, FUNCTION]
    response = (await respond(program, "/tool look_up rivers", model=MODEL, tools=tools)).json()
    (call,) = response["output"]
    assert (call["type"], call["name"]) == ("function_call", "look_up")
    found = (await respond(program, QUESTION, model=MODEL, tools=tools)).json()
    assert [each["type"] for each in found["output"]] == ["web_search_call", "message"]


async def test_without_the_tool_or_an_engine_nothing_is_searched(program: ApiClient) -> None:
    for options, tools in (({}, []), ({"WEB_SEARCH": "none"}, [{"type": "web_search"}])):
        with override_settings(**options):
            response = (await respond(program, QUESTION, model=MODEL, tools=tools)).json()
        assert [each["type"] for each in response["output"]] == ["message"]


async def test_a_model_that_cannot_search_says_so(program: ApiClient) -> None:
    model = "@cf/meta/llama-3.1-8b-instruct-fast"
    response = await respond(program, QUESTION, model=model, tools=[{"type": "web_search"}])
    assert response.status_code == 400
    assert response.json()["error"]["param"] == "tools"


CHOICE = {"type": "function", "name": "look_up"}
ALLOWED = {"type": "allowed_tools", "mode": "auto", "tools": [CHOICE]}


@pytest.mark.parametrize("choice", ["none", ALLOWED], ids=["none", "others"])
async def test_a_choice_without_the_search_searches_nothing(
    program: ApiClient, choice: object
) -> None:
    tools = [{"type": "web_search"}, FUNCTION]
    response = await respond(program, QUESTION, model=MODEL, tools=tools, tool_choice=choice)
    assert [each["type"] for each in response.json()["output"]] == ["message"]


async def test_a_choice_of_the_search_searches(program: ApiClient) -> None:
    tools, choice = [{"type": "web_search"}], ALLOWED | {"tools": [{"type": "web_search"}]}
    response = await respond(program, QUESTION, model=MODEL, tools=tools, tool_choice=choice)
    assert response.json()["output"][0]["type"] == "web_search_call"


async def test_a_function_of_the_same_name_is_refused(program: ApiClient) -> None:
    tools = [{"type": "web_search"}, FUNCTION | {"name": "web_search"}]
    response = await respond(program, QUESTION, model=MODEL, tools=tools)
    assert response.status_code == 400
    assert "has the name of a tool of this site" in response.json()["error"]["message"]


FORCED, NATIVE = "@cf/openai/gpt-oss-20b", "@cf/meta/llama-3.3-70b-instruct-fp8-fast"
SEARCH = {"type": "web_search"}
MUST = {"type": "allowed_tools", "mode": "required", "tools": [SEARCH]}
FORCING = {"required": "required", "the search": SEARCH, "an allowed search": MUST}


@pytest.mark.parametrize("choice", FORCING.values(), ids=FORCING)
async def test_a_search_that_is_required_is_made_first_and_once(
    program: ApiClient, choice: object
) -> None:
    tools = [SEARCH] if choice == "required" else [SEARCH, FUNCTION]
    response = (
        await respond(program, "Hello there", model=FORCED, tools=tools, tool_choice=choice)
    ).json()
    kinds = [each["type"] for each in response["output"]]
    assert [kind for kind in kinds if kind != "reasoning"] == ["web_search_call", "message"]


async def test_a_required_call_may_be_one_of_the_program(program: ApiClient) -> None:
    tools = [SEARCH, FUNCTION]
    response = await respond(program, "Hello", model=FORCED, tools=tools, tool_choice="required")
    assert response.json()["output"][0]["type"] in {"web_search_call", "function_call"}


@pytest.mark.parametrize("choice", FORCING.values(), ids=FORCING)
async def test_a_search_that_can_t_be_required_is_refused(
    program: ApiClient, choice: object
) -> None:
    for engine, model in (("none", FORCED), ("emulator", NATIVE)):
        with override_settings(WEB_SEARCH=engine):
            response = await respond(
                program, "Hello", model=model, tools=[SEARCH], tool_choice=choice
            )
        assert response.status_code == 400
        assert response.json()["error"]["param"] == "tool_choice"


async def test_only_the_first_request_has_to_call(program: ApiClient) -> None:
    question = "Search the web for the lighthouse of Lindholm"
    call = {"name": "web_search", "arguments": json.dumps({"query": "lighthouse"})}
    delta = {"tool_calls": [{"index": 0, "id": "a", "type": "function", "function": call}]}
    calling = {"choices": [{"index": 0, "delta": delta, "finish_reason": "tool_calls"}]}
    saying = {"choices": [{"index": 0, "delta": {"content": "So."}, "finish_reason": "stop"}]}
    answers = [
        stream_of(f"data: {json.dumps(each)}\n\n".encode(), DONE) for each in (calling, saying)
    ]
    async with site_with(in_turn(*answers), WEB_SEARCH="emulator") as raw:
        await respond(program, question, model=FORCED, tools=[SEARCH], tool_choice=SEARCH)
        choices = [body(raw, number)["tool_choice"] for number in (0, 1)]
    assert choices == [{"type": "function", "function": {"name": "web_search"}}, "auto"]
