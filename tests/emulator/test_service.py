"""Routes, authentication and error envelopes of the emulator."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.emulator import Emulator
from chat.lib.catalogue import Model
from tests.emulator.exchange import (
    ACCOUNT,
    CHAT_COMPLETIONS,
    GEMMA,
    LLAMA,
    RETIRED,
    Reply,
    ask,
    get,
    question,
    run_path,
    send,
)

USER_VERIFY = "/client/v4/user/tokens/verify"
TOKEN = "secret-token"


@pytest.fixture
def guarded() -> Emulator:
    return Emulator(tokens_per_second=0, api_token=TOKEN)


def is_edge(reply: Reply) -> bool:
    return reply.json["result"] is None and "AiError" not in reply.message


@pytest.mark.parametrize(
    "model", [LLAMA, LLAMA.replace("/", "%2F"), LLAMA.replace("/", "%2f").replace("@", "%40")]
)
async def test_the_model_in_the_path_may_be_percent_encoded(emulator: Emulator, model: str) -> None:
    assert (await send(emulator, question("Hello"), run_path(model))).is_done


async def test_accept_is_ignored(emulator: Emulator) -> None:
    reply = await send(emulator, question("Hello"), headers={"accept": "application/json"})
    assert reply.headers["content-type"] == "text/event-stream"


async def test_run_without_a_path_takes_model_and_input(emulator: Emulator) -> None:
    document = {"model": LLAMA, "input": question("Hello")}
    assert (await send(emulator, document, f"{ACCOUNT}/ai/run")).is_done


@pytest.mark.parametrize("document", [{"model": LLAMA}, {"model": LLAMA, "input": "Hello"}])
async def test_run_without_an_input_is_5006(emulator: Emulator, document: object) -> None:
    assert (await send(emulator, document, f"{ACCOUNT}/ai/run")).code == 5006


async def test_an_unknown_model_in_the_path_has_no_route(emulator: Emulator) -> None:
    reply = await ask(emulator, "Hello", "@cf/nobody/nothing")
    assert (reply.status, reply.code) == (400, 7000)
    assert is_edge(reply)


@pytest.mark.parametrize("model", ["@cf/nobody/nothing", None, 7, RETIRED])
async def test_an_unknown_model_is_5007_in_the_body(emulator: Emulator, model: object) -> None:
    for path, document in (
        (CHAT_COMPLETIONS, {"model": model, **question("Hello")}),
        (f"{ACCOUNT}/ai/run", {"model": model, "input": question("Hello")}),
    ):
        reply = await send(emulator, document, path)
        assert (reply.status, reply.code) == (400, 5007)
        assert reply.message.startswith("AiError: AiError: No such model ")


async def test_a_retired_model_is_5007_in_the_path_too(emulator: Emulator) -> None:
    reply = await ask(emulator, "Hello", RETIRED)
    assert reply.code == 5007
    assert RETIRED in reply.message


async def test_a_paid_model_answers_unless_the_prompt_asks_for_the_error(
    emulator: Emulator,
) -> None:
    assert (await ask(emulator, "Hello", "@cf/zai-org/glm-5.3")).is_done
    reply = await ask(emulator, "/error 5035", "@cf/zai-org/glm-5.3")
    assert reply.status == 403
    assert "Model @cf/zai-org/glm-5.3 is not available on the Workers Free plan" in reply.message


@pytest.mark.parametrize(
    "path", ["/", "/client/v4", f"{ACCOUNT}/ai", f"{ACCOUNT}/ai/v1/messages", f"{ACCOUNT}/ai/run/"]
)
async def test_other_paths_have_no_route(emulator: Emulator, path: str) -> None:
    reply = await send(emulator, {}, path)
    assert (reply.status, reply.code) == (400, 7000)
    assert is_edge(reply)


@pytest.mark.parametrize("account", ["", "a%20b", "a.b"])
async def test_a_malformed_account_is_7003(emulator: Emulator, account: str) -> None:
    reply = await send(emulator, question("Hi"), f"/client/v4/accounts/{account}/ai/run/{LLAMA}")
    assert (reply.status, reply.code) == (404, 7003)
    assert is_edge(reply)


async def test_another_method_is_refused(emulator: Emulator) -> None:
    reply = await get(emulator, run_path())
    assert (reply.status, reply.code) == (405, 7001)


async def test_without_a_configured_token_any_or_none_is_accepted(emulator: Emulator) -> None:
    assert (await get(emulator, USER_VERIFY)).status == 200
    assert (await get(emulator, USER_VERIFY, {"authorization": "Bearer anything"})).status == 200


@pytest.mark.parametrize(
    ("headers", "status", "code"),
    [
        ({}, 400, 9106),
        ({"authorization": "Basic abc"}, 400, 6003),
        ({"authorization": "Bearer"}, 400, 6003),
        ({"authorization": "Bearer wrong"}, 401, 10000),
        ({"authorization": "Bearer wröng"}, 401, 10000),
    ],
)
async def test_a_wrong_token_is_refused_at_the_edge(
    guarded: Emulator, headers: dict[str, str], status: int, code: int
) -> None:
    for path in (run_path(), CHAT_COMPLETIONS):
        reply = await send(guarded, question("Hello"), path, headers=headers)
        assert (reply.status, reply.code) == (status, code)
        assert is_edge(reply)


@pytest.mark.parametrize("path", [USER_VERIFY, f"{ACCOUNT}/tokens/verify"])
async def test_the_right_token_is_active(guarded: Emulator, path: str) -> None:
    reply = await get(guarded, path, {"authorization": f"Bearer {TOKEN}"})
    assert reply.json["result"]["status"] == "active"
    assert re.fullmatch("[0-9a-f]{32}", reply.json["result"]["id"])


async def test_every_answer_has_a_ray_and_generations_a_request_id(emulator: Emulator) -> None:
    reply = await ask(emulator, "Hello")
    assert re.fullmatch(r"[0-9a-f]{16}-LOC", reply.headers["cf-ray"])
    assert re.fullmatch(r"[0-9a-f-]{36}", reply.headers["cf-ai-req-id"])
    assert "cf-ray" in (await ask(emulator, "/error 3040")).headers


async def test_the_per_minute_limit_says_when_to_retry(emulator: Emulator) -> None:
    assert (await ask(emulator, "/error 429")).headers["retry-after"] == "2"


async def test_a_catalogue_file_replaces_the_built_in_one() -> None:
    model = Model(id="house/brew", context_window=500)
    emulator = Emulator(tokens_per_second=0, catalogue={model.id: model})
    assert (await ask(emulator, "Hello", model.id, max_tokens=50)).is_done
    assert (await ask(emulator, "Hello", GEMMA)).code == 7000


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda values: st.lists(values, max_size=4) | st.dictionaries(st.text(), values, max_size=4),
)
KEYS = st.sampled_from(
    [
        "model",
        "prompt",
        "messages",
        "input",
        "stream",
        "stream_options",
        "tools",
        "tool_choice",
        "max_tokens",
        "seed",
        "max_completion_tokens",
        "temperature",
        "reasoning_effort",
        "chat_template_kwargs",
    ]
)


@given(
    document=st.dictionaries(KEYS, JSON) | JSON,
    model=st.sampled_from([LLAMA, GEMMA]),
    path=st.sampled_from(["/ai/run", "/ai/v1/chat/completions", None]),
)
async def test_every_request_gets_a_response(
    document: object, model: str, path: str | None
) -> None:
    if isinstance(document, dict):
        document = {"model": model, "input": document, **document}
    target = run_path(model) if path is None else ACCOUNT + path
    reply = await send(Emulator(tokens_per_second=0), document, target)
    assert reply.status in {200, 400, 413}


async def test_a_lone_surrogate_in_the_question_is_tolerated(emulator: Emulator) -> None:
    document = b'{"messages":[{"role":"user","content":"\\ud83d and \\u0000"}],"stream":true}'
    assert (await send(emulator, document)).is_done
    document = document.replace(b"\\ud83d", b"/tool \\ud83d")
    assert (await send(emulator, document)).is_done
