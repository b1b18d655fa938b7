"""A website of alice whose chat answers from what it says about itself."""

from typing import Any

from asgiref.sync import sync_to_async

from chat.accounts.models import User
from chat.indexing import documents
from chat.knowledge.access import website_collection
from chat.knowledge.models import Document
from chat.website_answers import snippets
from chat.website_answers.models import AnswerSnippet
from chat.website_answers.snippets import SnippetText
from chat.widget_sites.models import WidgetSite
from tests.support.knowledge.collections import index_documents

PAGE = "https://www.shop.example/delivery"
DELIVERY = "We deliver canoes to every address in Europe. Delivery takes nine days."


async def add_page(site: WidgetSite, text: str = DELIVERY, address: str = PAGE) -> Document:
    """Add a page of the website, as if it had been read there."""
    collection = await sync_to_async(website_collection)(site)
    name = address.rpartition("/")[2].title()
    owner = await User.objects.aget(pk=site.owner_id)
    page: Document = await sync_to_async(documents.add)(
        collection, owner, name, text.encode(), address
    )
    await index_documents()
    return page


async def write_answer(
    site: WidgetSite, question: str, answer: str, known: AnswerSnippet | None = None, **more: Any
) -> AnswerSnippet:
    """Write an answer, and index it."""
    owner = await User.objects.aget(pk=site.owner_id)
    written = SnippetText(question, answer, **more)
    snippet: AnswerSnippet = await sync_to_async(snippets.write)(site, owner, written, known)
    await index_documents()
    return snippet
