"""Bodies that no program of good will sends, at every address that takes one.

Unexpected types, numbers beyond any column, endless brackets, keys that come twice, bytes that are no
text: each gets an answer, or a refusal with a reason that a program can read. None is a fault of the
server, makes a header, or comes back as markup.
"""

import json
import secrets
from collections import Counter
from collections.abc import Iterator
from copy import deepcopy
from random import Random
from typing import Any

import httpx
import pytest

from tests.support.attacks.attacked_site import attacked_site
from tests.support.attacks.chance import NASTY_VALUES, chance, naming, places_in
from tests.support.attacks.people import CSRF, MODEL, Person, Vera, browser, person, program
from tests.support.attacks.raw_http import say
from tests.support.attacks.world import Ids, all_routes, objects_of, path_of
from tests.support.generations.stream_reader import SAME_ORIGIN
from tests.support.servers.server import Server
from tests.support.variants import examples

pytestmark = [pytest.mark.quick, pytest.mark.timeout(900)]

SHOP = "https://www.shop.example"
TOOL = {
    "type": "function",
    "function": {
        "name": "f",
        "description": "d",
        "parameters": {"type": "object", "properties": {}},
    },
}
CALL = {"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}
TURNS: list[Any] = [
    {"role": "system", "content": "s"}, {"role": "user", "content": [{"type": "text", "text": "Hello"}]},
    {"role": "assistant", "content": None, "tool_calls": [CALL]}, {"role": "tool", "tool_call_id": "c", "content": "x"}, {"role": "user", "content": "Hello"},
]  # fmt: skip
NUMBERS = {
    "temperature": 1, "top_p": 0.5, "top_k": 5, "seed": 7, "max_tokens": 8, "max_completion_tokens": 8, "frequency_penalty": 0, "presence_penalty": 0,
    "stop": ["x"], "n": 1, "logit_bias": {"1": 1}, "stream": False, "stream_options": {"include_usage": True}, "response_format": {"type": "text"},
    "reasoning_effort": "low", "user": "u", "metadata": {"a": "b"}, "store": False,
}  # fmt: skip
COMPLETION = {"model": MODEL, "messages": TURNS, "tools": [TOOL], "tool_choice": "auto", **NUMBERS}
RELAYED = {"messages": [TURNS[1], TURNS[4]], "id": "a-chat", "persona": None, **NUMBERS}

SEND = {
    "key": "k" * 32,
    "text": "Hello",
    "parent": None,
    "retry": None,
    "resume": None,
    "model": MODEL,
    "images": [],
    "reasoning_effort": "low",
    "temperature": 1,
}
INPUT = [{"role": "user", "content": [{"type": "input_text", "text": "Hello"}]}, {"type": "reasoning", "content": [{"type": "reasoning_text", "text": "x"}]}, {"type": "custom_tool_call", "call_id": "a", "name": "c", "input": "x"}, {"type": "custom_tool_call_output", "call_id": "a", "output": [{"type": "input_text", "text": "x"}]}, {"type": "local_shell_call", "call_id": "b", "action": {"type": "exec"}}, {"type": "additional_tools", "tools": [{"type": "function", "name": "g"}]}, {"type": "compaction", "encrypted_content": "x"}, {"role": "user", "content": [{"type": "input_image", "image_url": "data:image/png;base64,AA=="}]}]  # fmt: skip
DECLARED = [{"type": "function", "name": "f", "parameters": {}}, {"type": "custom", "name": "c", "format": {"type": "grammar", "syntax": "lark", "definition": "x"}}, {"type": "namespace", "name": "n", "tools": [{"type": "function", "name": "f"}]}, {"type": "web_search"}]  # fmt: skip
MESSAGE = {"model": MODEL, "max_tokens": 20, "system": [{"type": "text", "text": "x"}], "messages": [{"role": "user", "content": [{"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "AA=="}}]}, {"role": "assistant", "content": [{"type": "thinking", "thinking": "x", "signature": "y"}, {"type": "tool_use", "id": "a", "name": "f", "input": {"a": 1}}]}, {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "a", "content": [{"type": "text", "text": "x"}], "is_error": True}, {"type": "document", "title": "t", "source": {"type": "text", "data": "x"}}]}], "tools": [{"name": "f", "input_schema": {}}, {"type": "bash_20250124", "name": "bash"}], "tool_choice": {"type": "tool", "name": "f"}, "thinking": {"type": "enabled", "budget_tokens": 2000}, "output_config": {"effort": "low"}, "stop_sequences": ["a"], "temperature": 1, "top_k": 5, "stream": False}  # fmt: skip
#: A usual body of each address; all others get one with fields of many forms.
BODIES: dict[str, Any] = {
    "v1/chat/completions": COMPLETION,
    "v1/completions": {"model": MODEL, "prompt": ["Hello"], "echo": False, **NUMBERS},
    "v1/responses": {"model": MODEL, "input": INPUT, "instructions": "x", "tools": DECLARED, "tool_choice": {"type": "allowed_tools", "mode": "auto", "tools": [{"type": "function", "name": "f"}]}, "reasoning": {"effort": "low"}, "text": {"format": {"type": "text"}}, "previous_response_id": None, "stream": False, "temperature": 1, "max_output_tokens": 20, "metadata": {}},
    "v1/messages": MESSAGE,
    "v1/messages/count_tokens": MESSAGE,
    "v1/embeddings": {"model": "@cf/baai/bge-small-en-v1.5", "input": ["a", "b"], "encoding_format": "float", "dimensions": 5, "user": "u"},
    "v1/images/generations": {"model": "x", "prompt": "a", "n": 1, "size": "256x256", "response_format": "b64_json"},
    "v1/audio/speech": {"model": "x", "input": "a", "voice": "b", "response_format": "mp3", "speed": 1},
    "client/v4/accounts/{account}/ai/run": {"model": MODEL, "messages": TURNS, **NUMBERS},
    "client/v4/accounts/{account}/ai/run/{model}": {"messages": TURNS, "prompt": None, "text": ["a"], **NUMBERS},
    "client/v4/accounts/{account}/ai/v1/chat/completions": COMPLETION,
    "client/v4/accounts/{account}/ai/v1/embeddings": {"model": "@cf/baai/bge-small-en-v1.5", "input": ["a"]},
    "chat/stream": RELAYED | {"model": MODEL},
    "chat/messages": SEND, "chat/{conversation}/messages": SEND, "w/{site_key}/messages": {"key": "k" * 32, "text": "Hello", "context": {"url": SHOP, "title": "t"}},
    "w/{site_key}/chat": RELAYED, "w/{site_key}/chat/text": RELAYED, "w/{site_key}/chat/html": RELAYED,
    "w/{site_key}/chat/ui": {"id": "a", "messages": [{"id": "1", "role": "user", "parts": [{"type": "text", "text": "Hello"}]}], "trigger": "submit-message"},
    "w/{site_key}/v1/chat/completions": COMPLETION,
    "w/{site_key}/session": {"token": "x", "challenge": {"a": 1}}, "w/{site_key}/identity": {"token": "a.b.c", "identity": "x"},
}  # fmt: skip
ANY = {
    "key": "k",
    "text": "t",
    "id": 1,
    "value": 1,
    "reason": "wrong",
    "comment": "c",
    "title": "t",
    "email": "a@example.org",
    "url": SHOP,
    "ids": [1],
    "kind": "x",
    "messages": [{}],
}
JSON_ROUTES = [each for each in all_routes() if each.startswith(("v1", "client/v4", "w/", "chat/"))]
BYTES = [
    b"", b" ", b"{", b"[", b'{"a":', b"null", b"true", b"[]", b"0", b'""', b"NaN", b"Infinity", b"{'a':1}", b"\xef\xbb\xbf{}", b"\xff\xfe{\0}\0", b"\0", b'{"a":"\0"}',
    b'{"text":"\xff"}', b'{"text":"\\ud800"}', b'{"\\ud800":1}', b'{"model":"a","model":"b","messages":[],"messages":[]}', b'{"__proto__":{"a":1},"constructor":{}}',
    b"[" * 100_000, b'{"a":' * 50_000, b'{"messages":' + b"[" * 100_000, b'{"seed":' + b"9" * 100_000 + b"}", b'{"temperature":1e' + b"9" * 1000 + b"}", b'{"text":"' + b"\\u0000" * 20_000 + b'"}',
    b'{"messages":[' + b"{}," * 60_000 + b"{}]}", b'{"a":1}{"a":2}', b"--x\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n--x--", b"key=1&text=" + b"%ff" * 100, b'{"text":"a\r\nSet-Cookie: evil=1"}',
]  # fmt: skip
TYPES = [
    "application/json",
    "application/json; charset=utf-16",
    "text/plain",
    "",
    "multipart/form-data; boundary=x",
    "application/x-www-form-urlencoded",
    "application/json\t;x",
    "image/png",
    "x" * 300,
]


@pytest.fixture(scope="module")
def site() -> Iterator[Server]:
    """Run a site that believes in addresses: invalid requests are limited by address."""
    with attacked_site(TRUSTED_PROXY_COUNT="1") as server:
        yield server


@pytest.fixture(scope="module")
def alice(site: Server) -> Person:
    return person(site, "alice@example.org")


@pytest.fixture(scope="module")
def world(site: Server, alice: Person) -> Ids:
    return objects_of(alice) | {"shop": alice.make_site(origins=[SHOP])}


Caller = tuple[httpx.Client, dict[str, str]]


@pytest.fixture(scope="module")
def callers(site: Server, alice: Person, world: Ids) -> dict[str, Caller]:
    """Return who sends bodies to addresses of each beginning."""
    vera = Vera(site, world["site"])
    return {
        "v1": (program(site, alice.make_key()), {}),
        "client": (program(site, alice.make_key()), {}),
        "chat": (alice.client, {"X-CSRFToken": CSRF} | SAME_ORIGIN),
        "w": (vera.client, {}),
        "shop": (browser(site), {"Origin": SHOP}),
    }


def post(
    route: str, world: Ids, callers: dict[str, Caller], content: bytes, kind: str
) -> httpx.Response:
    is_shop = route.startswith(("w/{site_key}/chat", "w/{site_key}/v1"))
    client, headers = callers["shop" if is_shop else route.partition("/")[0]]
    ids = (
        world | {"model": MODEL, "account": "1"} | ({"site_key": world["shop"]} if is_shop else {})
    )
    path = path_of(route, ids)
    if is_shop:
        path = path.replace(world["site"], world["shop"])
    address = ".".join(str(1 + each % 250) for each in secrets.token_bytes(4))
    sent = {**headers, "Accept": "application/json", "X-Forwarded-For": address} | (
        {"Content-Type": kind} if kind else {}
    )
    return client.post(path, content=content, headers=sent)


def require_fine(came: httpx.Response) -> None:
    """Expect an answer or a reason, without headers or pages that the body made."""
    assert came.status_code < 500 or came.json()["error"]["code"].startswith("upstream"), came.text
    assert "evil" not in came.cookies
    kind = came.headers.get("content-type", "")
    if came.status_code >= 400 and kind.startswith("application/json"):
        assert came.json(), "the reason is JSON"
    if came.status_code >= 400 and "html" not in kind:
        assert len(came.content) < 3000, "a refusal doesn't repeat what it refuses"
    assert "Traceback" not in came.text


def encoded(value: object) -> bytes:
    return json.dumps(value).encode("utf-8", "surrogatepass")


@pytest.mark.parametrize(
    "route",
    [
        each
        for each in BODIES
        if each.startswith(("v1/ch", "v1/me", "chat/s", "w/{site_key}/c", "w/{site_key}/v"))
    ],
)
def test_the_usual_bodies_are_answered(route: str, world: Ids, callers: dict[str, Caller]) -> None:
    """Without this, the attacks might all fail for another reason."""
    body = {
        key: value
        for key, value in BODIES[route].items()
        if key
        not in {
            "tools",
            "tool_choice",
            "n",
            "logit_bias",
            "stream_options",
            "persona",
            "top_k",
            "reasoning_effort",
            "stream",
        }
    }
    if route == "chat/stream":
        del body["id"]
    if "messages" in body and "ui" not in route:
        body["messages"] = TURNS[4:]
    came = post(route, world, callers, encoded(body), "application/json")
    assert came.status_code == 200, came.text


def odd_bodies(usual: Any, random: Random, count: int) -> Iterator[bytes]:
    """Yield the body with something unexpected in one or two places of it."""
    for _each in range(count):
        body = deepcopy(usual)
        for _place in range(random.choice([1, 1, 1, 2])):
            container, key = random.choice(list(places_in(body)))
            if random.random() < 0.1 and isinstance(container, dict):
                container[
                    random.choice(["__proto__", "\0", "user_id", "owner", "is_staff", "x" * 5000])
                ] = container.pop(key)
            else:
                container[key] = deepcopy(random.choice([*NASTY_VALUES, "\ud800"]))
        data = encoded(body)
        yield data if random.random() < 0.9 else data[:-1] + b"," + data[1:]  # each key twice


def test_unexpected_values_in_any_place_are_answered_or_refused(
    site: Server, world: Ids, callers: dict[str, Caller]
) -> None:
    """Guards the types of all bodies, and what becomes of them: columns, headers, the next request."""
    random, statuses = chance(), Counter[int]()
    for route, usual in BODIES.items():
        for data in odd_bodies(usual, random, examples(60)):
            with naming((route, data)):
                came = post(route, world, callers, data, "application/json")
                require_fine(came)
                statuses[came.status_code] += 1
    assert "Traceback" not in site.log.read_text()
    assert statuses[429] < statuses.total() / 5, "most were read"
    assert statuses[200] > 3
    assert statuses[400] > 30


def test_bodies_that_are_no_json_are_refused_at_every_address(
    site: Server, world: Ids, callers: dict[str, Caller]
) -> None:
    """Guards decoding: depth, numbers, characters, types, at each address with whoever may use it."""
    random = chance()
    for route in JSON_ROUTES:
        for _each in range(examples(15)):
            data = random.choice([*BYTES, *odd_bodies(ANY, random, 3)])
            kind = random.choice([TYPES[0], *TYPES])
            with naming((route, data[:300], kind)):
                require_fine(post(route, world, callers, data, kind))
    assert "Traceback" not in site.log.read_text()


HEAD = b"POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer x\r\nContent-Type: application/json\r\n"
LENGTHS = [
    b"Content-Length: 5\r\n\r\n{}", b"Content-Length: -1\r\n\r\n{}", b"Content-Length: 99999999999999999999\r\n\r\n{}", b"Content-Length: 1e3\r\n\r\n{}", b"Content-Length: 0x2\r\n\r\n{}",
    b"Transfer-Encoding: chunked\r\n\r\n2;" + b"a=b;" * 20_000 + b"\r\n{}\r\n0\r\n\r\n", b"Transfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n{}", b"Transfer-Encoding: chunked\r\n\r\n-2\r\n{}\r\n0\r\n\r\n",
    b"Transfer-Encoding: chunked\r\n\r\n2\r\n{}XX0\r\n\r\n", b"Transfer-Encoding: chunked\r\n\r\n0\r\nX-A: " + b"b" * 100_000 + b"\r\n\r\n", b"Transfer-Encoding: chunked\r\n\r\n" + b"1\r\n \r\n" * 3000 + b"0\r\n\r\n",
    b"X-A: b\r\n\tfolded: c\r\nContent-Length: 2\r\n\r\n{}", b"X-A: a\rb\r\nContent-Length: 2\r\n\r\n{}", b"X-\0: b\r\nContent-Length: 2\r\n\r\n{}", b"X-A\xff: b\r\nContent-Length: 2\r\n\r\n{}",
]  # fmt: skip


@pytest.mark.parametrize("rest", LENGTHS, ids=lambda each: str(each[:40]))
def test_lengths_that_lie_get_one_answer_at_most(site: Server, rest: bytes) -> None:
    """Guards the server in front of Django: a body that isn't as announced is no second request."""
    heard = say(site.url, HEAD + rest, quiet=0.2, patience=2)
    assert len(heard.statuses) <= 1
    assert all(400 <= each < 500 for each in heard.statuses), heard.data[:300]
    assert browser(site).get("/healthz").status_code == 200
