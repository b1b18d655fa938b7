"""First words after 0.5, 2, 2.5 and 10 seconds, on a real server, at every endpoint."""

import asyncio
import json
from typing import Any

import httpx
import pytest

from tests.support.generations.stream_reader import SAME_ORIGIN
from tests.support.patience import PATIENCE_SECONDS
from tests.support.servers.server import Server, running, signed_up
from tests.support.upstream.raw_upstream import EVENT_STREAM, chunk, raw_upstream
from tests.support.widget.site_with_origin import MAKE_SITE, ORIGIN

SECONDS = [0.5, 2.0, 2.5, 10.0]

pytestmark = pytest.mark.long


async def begins_late(request: bytes, writer: asyncio.StreamWriter) -> None:
    """Start the answer after the seconds in the last message."""
    asked = json.loads(request.partition(b"\r\n\r\n")[2])["messages"][-1]["content"]
    await asyncio.sleep(float(asked))
    writer.write(EVENT_STREAM + chunk(b'data: {"response":"At last"}\n\ndata: [DONE]\n\n'))
    writer.write(b"0\r\n\r\n")


async def test_a_slow_first_word_arrives_at_every_endpoint() -> None:
    async with raw_upstream(begins_late) as raw:
        manager = running(WORKERS_AI_BASE_URL=raw.url)
        server = await asyncio.to_thread(manager.__enter__)
        try:
            texts = await ask_everywhere(server)
        finally:
            await asyncio.to_thread(manager.__exit__, None, None, None)
    assert len(texts) == 9 * len(SECONDS)
    assert [place for place, text in texts.items() if "At last" not in text] == []


async def ask_everywhere(server: Server) -> dict[str, str]:
    """What came, by endpoint and seconds; all at once."""
    made = await asyncio.to_thread(server.manage, "shell", "-v", "0", "-c", MAKE_SITE)
    key = made.strip().splitlines()[-1]
    member = await asyncio.to_thread(signed_up, server)
    own = {**SAME_ORIGIN, "X-CSRFToken": member.cookies["csrftoken"]}
    member_cookies = dict(member.cookies)
    site = f"/w/{key}"
    async with httpx.AsyncClient(
        base_url=server.url, timeout=PATIENCE_SECONDS, trust_env=False
    ) as client:
        begun = await client.post(f"{site}/session", headers=SAME_ORIGIN)
        bearer = {"Authorization": f"Bearer {begun.json()['token']}"}
        asked: dict[str, Any] = {}
        for seconds in SECONDS:
            text = str(seconds)
            prompt = {"prompt": text}

            def post(path: str, body: Any, headers: Any, cookies: Any = None) -> Any:
                found = "; ".join(f"{n}={v}" for n, v in (cookies or {}).items())
                given = {**headers, "Cookie": found} if found else headers
                return client.post(path, json=body, headers=given)

            send = {"key": f"after-{seconds * 10:.0f}-tenths", "text": text}
            asked |= {
                f"relay {text}": post("/chat/stream", prompt, own, member_cookies),
                f"send {text}": post("/chat/messages", send, own, member_cookies),
                f"visitor {text}": post(f"{site}/messages", send, bearer),
                f"chat {text}": post(f"{site}/chat", prompt, ORIGIN),
                f"text {text}": post(f"{site}/chat/text", prompt, ORIGIN),
                f"ui {text}": post(f"{site}/chat/ui", prompt, ORIGIN),
                f"openai {text}": post(f"{site}/v1/chat/completions", prompt, ORIGIN),
                f"get {text}": client.get(f"{site}/chat", params=prompt, headers=ORIGIN),
                f"html {text}": client.get(f"{site}/chat/html", params=prompt, headers=ORIGIN),
            }
        answers = await asyncio.gather(*asked.values())
    member.close()
    return {name: answer.text for name, answer in zip(asked, answers, strict=True)}
