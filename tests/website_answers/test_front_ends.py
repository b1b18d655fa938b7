"""Other front ends of a website keep to what its answers are based on, in each format."""

import pytest

from chat.accounts.models import User
from chat.widget_sites.models import AnswerMode
from tests.support.web.front_end import FrontEnd
from tests.support.website_answers import add_page
from tests.support.widget.visitor_client import site_of

pytestmark = pytest.mark.usefixtures("no_network_jobs", "stop_server_process")

IN_VAIN = "Which gift vouchers do you sell?"
NOTHING = "find an answer to this on this website."


async def answer(alice: User, mode: AnswerMode, question: str, path: str = "chat/text") -> str:
    site = await site_of(alice, answer_mode=mode)
    await add_page(site)
    body = {"messages": [{"role": "user", "content": question}]}
    response = await FrontEnd(site).post(path, body)
    assert response.status_code == 200
    chunks = [chunk async for chunk in response.streaming_content]
    return b"".join(chunks).decode()


@pytest.mark.parametrize("path", ["chat", "chat/text", "chat/html"])
async def test_nothing_is_invented_if_only_documents_count(alice: User, path: str) -> None:
    assert NOTHING in await answer(alice, AnswerMode.ONLY, IN_VAIN, path)


async def test_an_answer_is_from_the_documents(alice: User) -> None:
    question = "How many days does delivery of canoes take in Europe?"
    assert "to every address in Europe" in await answer(alice, AnswerMode.FIRST, question)


async def test_others_answer_as_before(alice: User) -> None:
    assert NOTHING not in await answer(alice, AnswerMode.FREELY, IN_VAIN)
