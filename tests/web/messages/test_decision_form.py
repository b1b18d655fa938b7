"""Without scripts, a plain form decides about a call, and the answer goes on."""

import re
from typing import Any

import pytest
from django.http import QueryDict
from django.test import AsyncClient, override_settings

from chat.accounts.models import User
from chat.accounts.preferences import Preferences
from chat.conversations.tool_calls.models import StoredToolCall
from chat.errors import BadRequest
from chat.generations.models import Generation
from chat.generations.send.tool_decisions import Decision
from chat.web.messages.decision_form import read_decision
from tests.support.generations.send import key, send
from tests.support.generations.stream_reader import read_stream
from tests.support.wait_for import until
from tests.support.web.form_requests import HTML

pytestmark = pytest.mark.usefixtures("no_network_jobs", "stop_server_process")

MODEL = "@cf/openai/gpt-oss-20b"
FACT = "I am a vegetarian"
FIELD = re.compile(r'<textarea [^>]*name="argument-text"[^>]*>([^<]*)</textarea>')


async def propose(client: AsyncClient) -> StoredToolCall:
    text = f"Please remember that {FACT}"
    await read_stream(await send(client, text=text, site_tools=["remember"], model=MODEL))
    return await StoredToolCall.objects.select_related("message").aget()


async def page_of(client: AsyncClient, call: StoredToolCall) -> str:
    response = await client.get(f"/chat/{call.message.conversation_id}/", headers=HTML)
    return response.content.decode()


async def submit(client: AsyncClient, call: StoredToolCall, **fields: str) -> Any:
    path = f"/chat/tool-calls/{call.pk}/decision"
    return await client.post(path, {"key": key(), **fields}, headers=HTML)


async def ended(call: StoredToolCall) -> StoredToolCall:
    """Return the call once the answer that goes on has ended."""
    running = Generation.objects.filter(message=call.message_id, state="running")

    async def has_ended() -> bool:
        return not await running.aexists()

    await until(has_ended)
    return await StoredToolCall.objects.select_related("message").aget()


async def test_a_call_is_allowed_with_changed_arguments_and_the_answer_goes_on(
    alice: User, alice_client: AsyncClient
) -> None:
    call = await propose(alice_client)
    page = await page_of(alice_client, call)
    assert FIELD.findall(page) == [FACT]
    assert f'action="/chat/tool-calls/{call.pk}/decision"' in page
    fields = {"decision": "allow", "argument-text": "I eat no meat", "scope": "chat"}
    response = await submit(alice_client, call, **fields)
    assert response.status_code == 303
    place = f"/chat/{call.message.conversation_id}/?at={call.message_id}#m{call.message_id}"
    assert response["Location"] == place
    assert (await ended(call)).is_edited
    await alice.arefresh_from_db()
    assert Preferences.of(alice).memories == "I eat no meat"
    assert FIELD.findall(await page_of(alice_client, call)) == []


async def test_a_call_is_refused_with_a_reason(alice_client: AsyncClient) -> None:
    call = await propose(alice_client)
    fields = {"decision": "refuse", "argument-text": "changed", "words": "Not that one"}
    assert (await submit(alice_client, call, **fields)).status_code == 303
    call = await ended(call)
    assert (call.state, call.refusal, call.is_edited) == ("refused", "Not that one", False)


async def test_what_does_not_fit_is_said_on_a_page(alice_client: AsyncClient) -> None:
    call = await propose(alice_client)
    response = await submit(alice_client, call, decision="allow", **{"argument-text": ""})
    assert response.status_code == 400
    assert "The tool can&#x27;t be called like this" in response.content.decode()


@pytest.mark.parametrize(
    "fields", [{}, {"decision": "perhaps"}, {"decision": "allow", "scope": "ever"}, {"key": ""}]
)
async def test_another_form_is_refused(alice_client: AsyncClient, fields: dict[str, str]) -> None:
    call = await propose(alice_client)
    assert (await submit(alice_client, call, **fields)).status_code == 400
    await call.arefresh_from_db()
    assert call.state == "proposed"


async def test_a_stranger_decides_nothing(
    alice_client: AsyncClient, bob_client: AsyncClient
) -> None:
    call = await propose(alice_client)
    assert (await submit(bob_client, call, decision="allow")).status_code == 404


async def test_always_is_not_offered_where_each_chat_asks(alice_client: AsyncClient) -> None:
    call = await propose(alice_client)
    always = '<option value="always">'
    assert always in await page_of(alice_client, call)
    with override_settings(TOOLS_ALWAYS_ALLOWED=False):
        page = await page_of(alice_client, call)
    assert always not in page
    assert 'data-tools-always="no"' in page


async def test_a_decided_answer_that_has_not_gone_on_can_be_continued(
    alice_client: AsyncClient,
) -> None:
    call = await propose(alice_client)
    await StoredToolCall.objects.aupdate(state="approved")
    page = await page_of(alice_client, call)
    assert f'name="resume" value="{call.message_id}"' in page
    path = f"/chat/{call.message.conversation_id}/messages"
    response = await alice_client.post(
        path, {"key": key(), "resume": call.message_id}, headers=HTML
    )
    assert response.status_code == 303
    assert (await ended(call)).state == "done"


def test_values_of_other_types_are_json_and_lines_end_as_they_did() -> None:
    before = '{"days": [1, 2], "note": "a\\nb", "count": 5}'
    same = "argument-days=%5B%0D%0A++1%2C%0D%0A++2%0D%0A%5D&argument-note=a%0D%0Ab&argument-count=5"
    form = QueryDict(f"decision=allow&{same}")
    assert read_decision(form, before) == Decision(is_allowed=True)
    form = QueryDict(f"decision=allow&{same.replace('=5', '=6')}")
    edited = '{"days":[1,2],"note":"a\\nb","count":6}'
    assert read_decision(form, before) == Decision(is_allowed=True, arguments=edited)
    long = QueryDict(f"decision=allow&argument-note={'x' * 20_000}")
    with pytest.raises(BadRequest):
        read_decision(long, before)


async def test_deep_arguments_dont_make_a_long_page(alice_client: AsyncClient) -> None:
    call = await propose(alice_client)
    deep = f'{{"text": "{FACT}", "a": {"[" * 400}{"1," * 9000}1{"]" * 400}}}'
    await StoredToolCall.objects.filter(pk=call.pk).aupdate(arguments=deep)
    page = await page_of(alice_client, call)
    assert 'name="argument-a"' in page
    assert len(page) < 300_000
