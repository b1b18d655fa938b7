"""The list of models in Anthropic's shape, and the estimate of tokens."""

import base64
from typing import TYPE_CHECKING, Any

import pytest

from chat.quotas.models import Charge
from tests.support.api.api_client import MODEL, ApiClient
from tests.support.api.messages_client import ASK, VERSION, WEATHER
from tests.support.api.sdk_types import require_conforming
from tests.support.imported_later import imported_later
from tests.support.web.attached_images import VISION
from tests.support.widget.pictures import png

if TYPE_CHECKING:
    from anthropic import types
else:
    types = imported_later("anthropic.types")

COUNT = "/v1/messages/count_tokens"


async def test_each_model_conforms_to_the_sdk(program: ApiClient) -> None:
    found = (await program.get("/v1/models?limit=1000", **VERSION)).json()
    assert set(found) == {"data", "has_more", "first_id", "last_id"}
    assert found["has_more"] is False
    models = [require_conforming(types.ModelInfo, each) for each in found["data"]]
    assert (found["first_id"], found["last_id"]) == (models[0].id, models[-1].id)
    (seeing,) = [each for each in models if each.id == VISION]
    assert seeing.capabilities.image_input.supported
    assert seeing.max_input_tokens > 10_000


async def test_the_list_comes_in_pages(program: ApiClient) -> None:
    every = [each["id"] for each in (await program.get("/v1/models")).json()["data"]]
    seen: list[str] = []
    after = ""
    while True:
        path = f"/v1/models?limit=4&after_id={after}"
        page = (await program.get(path, **VERSION)).json()
        seen += [each["id"] for each in page["data"]]
        if not page["has_more"]:
            break
        after = page["last_id"]
    assert seen == every
    before = f"/v1/models?limit=2&before_id={every[3]}"
    page = (await program.get(before, **VERSION)).json()
    assert [each["id"] for each in page["data"]] == every[1:3]


@pytest.mark.parametrize("limit", ["0", "x", "-1", "1001", "9" * 5000])
async def test_a_page_has_a_size(program: ApiClient, limit: str) -> None:
    response = await program.get(f"/v1/models?limit={limit}", **VERSION)
    assert response.status_code == 400


async def test_one_model_conforms_too(program: ApiClient) -> None:
    response = await program.get(f"/v1/models/{MODEL}", **VERSION)
    assert require_conforming(types.ModelInfo, response.json()).id == MODEL


async def counted(program: ApiClient, **request: Any) -> int:
    body = {**ASK, "model": VISION, **request}
    del body["max_tokens"]
    response = await program.post(COUNT, body, **VERSION)
    assert response.status_code == 200, response.content
    return int(require_conforming(types.MessageTokensCount, response.json()).input_tokens)


async def test_everything_that_a_model_reads_counts(program: ApiClient) -> None:
    source = {
        "type": "base64",
        "media_type": "image/png",
        "data": base64.b64encode(png(500, 500)).decode(),
    }
    image = [{"role": "user", "content": [{"type": "image", "source": source}]}]
    bare = await counted(program)
    for more in ({"system": "Be kind."}, {"tools": [WEATHER]}, {"messages": image}):
        assert await counted(program, **more) > bare
    assert not await Charge.objects.aexists()
