"""Parts of a body that are read late are refused like the others, and cost nothing."""

import pytest

from chat.quotas.models import Charge
from tests.support.api.api_client import ApiClient

QUESTION = b'"messages":[{"role":"user","content":"Hi"}]'
FUNCTION = b'"tools":[{"type":"function","function":{"name":"f"}}]'
SCHEMA = b'"response_format":{"type":"json_schema","json_schema":{"schema":%b}}'
CASES = {
    "chat, a schema that is no UTF-8": ("chat/completions", QUESTION + b"," + SCHEMA % b'{"a":"\xff"}'),
    "chat, a schema with a number too large": ("chat/completions", QUESTION + b"," + SCHEMA % b'{"a":1e999}'),
    "chat, a choice that is no UTF-8": (
        "chat/completions", QUESTION + b"," + FUNCTION + b',"tool_choice":{"x":"\xff"}'
    ),
    "chat, a choice of an odd type": (
        "chat/completions", QUESTION + b"," + FUNCTION + b',"tool_choice":{"type":{"a":1},"name":{}}'
    ),
    "responses, a tool with a number too large": (
        "responses", b'"input":"Hi","tools":[{"type":"web_search","x":1e999}]'
    ),
    "responses, a tool that is no UTF-8": (
        "responses", b'"input":"Hi","tools":[{"type":"web_search","x":"\xff"}]'
    ),
    "responses, a tool of many levels in a long body": (
        "responses",
        b'"input":"%b","tools":[{"type":"x","x":%b}]' % (b"a" * 70_000, b"[" * 950 + b"]" * 950),
    ),
    "chat, parameters of many levels": (
        "chat/completions",
        QUESTION + b',"tools":[{"type":"function","function":{"name":"f","parameters":%b}}]'
        % (b'{"a":' * 201 + b"1" + b"}" * 201),
    ),
    "messages, an input that is no UTF-8": (
        "messages",
        b'"max_tokens":9,"messages":[{"role":"assistant","content":[{"type":"tool_use","id":"a",'
        b'"name":"f","input":{"x":"\xff"}}]},{"role":"user","content":"Hi"}]',
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
async def test_it_is_a_bad_request(case: str, program: ApiClient) -> None:
    path, fields = CASES[case]
    body = b'{"model":"@cf/openai/gpt-oss-120b",' + fields + b"}"
    answer = await program.post(f"/v1/{path}", body)
    allowed = {200} if "odd type" in case else {400}  # that names no function, so the model chooses
    assert answer.status_code in allowed, answer.content
    assert await Charge.objects.aexists() is (answer.status_code == 200)
