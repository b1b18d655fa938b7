"""Responses are based on collections, as OpenAI's tool `file_search` names them."""

from typing import TYPE_CHECKING, Any

import pytest

from chat.accounts.models import User
from chat.knowledge.models import Collection, Document
from tests.support.api.api_client import ApiClient
from tests.support.api.responses_client import respond, streamed
from tests.support.api.sdk_types import require_conforming
from tests.support.imported_later import imported_later
from tests.support.knowledge.collections import add_document, new_collection

if TYPE_CHECKING:
    from openai import types
    from openai.types import responses
else:
    types = imported_later("openai.types")
    responses = imported_later("openai.types.responses")

pytestmark = pytest.mark.usefixtures("no_network_jobs")
QUESTION = "Who pays for trips?"
TRIPS = "Trips are paid by the sales department."


@pytest.fixture
async def handbook(alice: User, stop_server_process: None) -> Collection:
    collection = await new_collection(alice)
    await add_document(collection, alice, "travel.txt", TRIPS)
    return collection


def search(collection: Collection) -> list[dict[str, Any]]:
    return [{"type": "file_search", "vector_store_ids": [f"vs_{collection.pk.hex}"]}]


async def test_a_response_cites_the_documents(program: ApiClient, handbook: Collection) -> None:
    response = (await respond(program, QUESTION, tools=search(handbook))).json()
    require_conforming(responses.Response, response)
    found, message = response["output"]
    assert (found["type"], found["status"]) == ("file_search_call", "completed")
    (part,) = message["content"]
    (annotation,) = part["annotations"]
    document = await Document.objects.aget()
    assert annotation["filename"] == "travel.txt"
    assert annotation["file_id"] == f"file-{document.pk.hex}"
    assert part["text"][annotation["index"] :].startswith("[1]")


async def test_a_stream_announces_search_and_citations(
    program: ApiClient, handbook: Collection
) -> None:
    events = await streamed(program, QUESTION, tools=search(handbook))
    kinds = [each["type"] for each in events]
    assert kinds.index("response.file_search_call.completed") < kinds.index(
        "response.output_text.delta"
    )
    (added,) = [each for each in events if each["type"].endswith("annotation.added")]
    last = events[-1]["response"]["output"][-1]["content"][0]
    assert last["annotations"] == [added["annotation"]]


async def test_the_collections_are_listed_as_vector_stores(
    program: ApiClient, bob: User, handbook: Collection
) -> None:
    await new_collection(bob, "Bob's")
    listed = (await program.get("/v1/vector_stores")).json()
    (store,) = listed["data"]
    require_conforming(types.VectorStore, store)
    assert (store["name"], store["file_counts"]["completed"]) == ("Handbook", 1)
    one = await program.get(f"/v1/vector_stores/{store['id']}")
    assert one.json() == store


@pytest.mark.parametrize("wanted", ["bobs", "vs_abc", "vs_" + "0" * 32])
async def test_other_vector_stores_are_unknown(program: ApiClient, bob: User, wanted: str) -> None:
    if wanted == "bobs":
        wanted = f"vs_{(await new_collection(bob)).pk.hex}"
    tools = [{"type": "file_search", "vector_store_ids": [wanted]}]
    for refused in (
        await respond(program, QUESTION, tools=tools),
        await program.get(f"/v1/vector_stores/{wanted}"),
    ):
        assert refused.status_code == 404
        assert refused.json()["error"]["code"] == "unknown_vector_store"
