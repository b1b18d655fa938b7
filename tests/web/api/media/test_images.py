"""Images are generated, sent in base64, and counted by size and steps."""

import base64
import json
from typing import Any

import pytest
from pytest_django import Settings

from chat.accounts.models import User
from chat.quotas.models import Charge
from tests.support.api.api_client import MODEL, ApiClient
from tests.support.api.media_client import FLUX, IMAGES, SDXL, draw
from tests.support.upstream.raw_upstream import always, in_turn, plain
from tests.support.upstream.upstream_failures import envelope
from tests.support.upstream.upstream_override import site_with

PNG = b"\x89PNG\r\n\x1a\n"
JPEG = b"\xff\xd8\xff\xe0"


def drawn(picture: bytes = JPEG) -> bytes:
    told = {"result": {"image": base64.b64encode(picture).decode()}}
    return plain(200, json.dumps(told).encode())


@pytest.mark.parametrize("model", [FLUX, SDXL, None])
async def test_a_picture_comes_in_base64(program: ApiClient, model: str | None) -> None:
    response = await draw(program, model=model)
    assert response.status_code == 200, response.content
    answer = response.json()
    assert base64.b64decode(answer["data"][0]["b64_json"]).startswith(PNG)
    assert (answer["output_format"], answer["size"]) == ("png", "1024x1024")
    assert answer["created"] > 0


async def asked_of(program: ApiClient, answer: bytes, **options: Any) -> Any:
    async with site_with(always(answer)) as raw:
        response = await draw(program, **options)
        assert response.status_code == 200, response.content
    bodies = [json.loads(each.partition(b"\r\n\r\n")[2]) for each in raw.requests]
    return response.json(), bodies


async def test_quality_is_a_number_of_steps(program: ApiClient) -> None:
    for quality, steps in [("low", 2), ("auto", 4), ("standard", 4), ("hd", 8), ("high", 8)]:
        answer, asked = await asked_of(program, drawn(), quality=quality)
        assert asked == [{"prompt": "A river", "steps": steps}]
        assert answer["output_format"] == "jpeg"
    _answer, asked = await asked_of(program, drawn(), steps=1)
    assert asked[0]["steps"] == 1


async def test_a_size_is_asked_for_where_the_model_has_some(program: ApiClient) -> None:
    answer, asked = await asked_of(
        program, plain(200, PNG, "image/png"), model=SDXL, size="512x512"
    )
    assert asked == [{"prompt": "A river", "num_steps": 20, "width": 512, "height": 512}]
    assert answer["size"] == "512x512"


async def test_several_pictures_are_asked_for_one_by_one(program: ApiClient) -> None:
    answer, asked = await asked_of(program, drawn(), n=3)
    assert len(answer["data"]) == len(asked) == 3
    assert (await Charge.objects.aget()).microdollars == 1901  # 3 × (4 tiles + 4 steps)


async def test_an_openai_compatible_provider_is_asked_at_its_address(program: ApiClient) -> None:
    told = {"data": [{"b64_json": base64.b64encode(PNG).decode()}]}
    answer = always(plain(200, json.dumps(told).encode()))
    async with site_with(answer, UPSTREAM_PROTOCOL="openai") as raw:
        found = (await draw(program, quality="hd")).json()
    assert base64.b64decode(found["data"][0]["b64_json"]) == PNG
    assert raw.requests[0].startswith(b"POST /client/v4/images/generations ")
    asked = json.loads(raw.requests[0].partition(b"\r\n\r\n")[2])
    assert (asked["model"], asked["size"], asked["quality"]) == (FLUX, "1024x1024", "hd")
    assert asked["response_format"] == "b64_json"


async def test_a_call_counts_by_tiles_and_steps(program: ApiClient, alice: User) -> None:
    await draw(program, steps=8)
    charge = await Charge.objects.aget()
    assert (charge.user_id, charge.model) == (alice.pk, FLUX)
    assert charge.microdollars == 1056  # 4 × $0.0000528 + 8 × $0.0001056
    assert charge.settled_at


@pytest.mark.parametrize(
    "answers",
    [
        [plain(502, envelope(8005))],
        [plain(200, b"{}")],
        [plain(200, b"")],
        [plain(200, b'{"result":{"image":"%"}}')],
        [drawn(), plain(502, envelope(8005))],
    ],
)
async def test_an_error_of_the_provider_costs_nothing(
    program: ApiClient, answers: list[bytes]
) -> None:
    async with site_with(in_turn(*answers)):
        assert (await draw(program, n=2)).status_code == 502
    assert (await Charge.objects.aget()).microdollars == 0


@pytest.mark.parametrize(
    ("options", "param"),
    [
        ({"prompt": " "}, "prompt"),
        ({"prompt": None}, "prompt"),
        ({"prompt": "x" * 2049}, "prompt"),
        ({"n": 0}, "n"),
        ({"n": 5}, "n"),
        ({"size": "512x512"}, "size"),
        ({"size": "big"}, "size"),
        ({"steps": 9}, "steps"),
        ({"response_format": "url"}, "response_format"),
        ({"stream": True}, "stream"),
        ({"background": "transparent"}, "background"),
    ],
)
async def test_an_invalid_request_is_refused_by_name(
    program: ApiClient, options: dict[str, Any], param: str
) -> None:
    response = await draw(program, **{"prompt": "A river", **options})
    assert (response.status_code, response.json()["error"]["param"]) == (400, param)
    assert not await Charge.objects.aexists()


async def test_only_models_for_the_task_draw(program: ApiClient, settings: Settings) -> None:
    refused = await draw(program, model=MODEL)
    assert (refused.status_code, refused.json()["error"]["code"]) == (404, "model_not_found")
    settings.MEDIA_MODELS = {}
    refused = await program.post(IMAGES, {"prompt": "A river"})
    assert (refused.status_code, refused.json()["error"]["code"]) == (404, "model_not_found")
