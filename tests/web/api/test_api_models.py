"""The list of models holds what the member may use."""

import pytest
from asgiref.sync import sync_to_async
from django.contrib.auth.models import Group

from chat.accounts.models import User
from chat.generations import model_permissions
from chat.quotas.models import Charge
from tests.support.api.api_client import MODEL, ApiClient


async def test_the_list_describes_each_model(program: ApiClient) -> None:
    found = (await program.get("/v1/models")).json()
    assert found["object"] == "list"
    (model,) = [each for each in found["data"] if each["id"] == MODEL]
    assert (model["object"], model["owned_by"]) == ("model", "meta")
    assert isinstance(model["created"], int)
    assert model["name"]
    assert model["context_length"] == 24_000
    assert float(model["pricing"]["prompt"]) < float(model["pricing"]["completion"]) < 0.001


@pytest.mark.parametrize("written", [MODEL, MODEL.replace("/", "%2F").replace("@", "%40")])
async def test_one_model_is_found_by_its_id_however_it_is_written(
    program: ApiClient, written: str
) -> None:
    response = await program.get(f"/v1/models/{written}")
    assert (response.status_code, response.json()["id"]) == (200, MODEL)


async def test_an_unknown_model_is_not_found(program: ApiClient) -> None:
    for response in (
        await program.get("/v1/models/gpt-4o"),
        await program.complete(model="gpt-4o"),
    ):
        error = response.json()["error"]
        assert (response.status_code, error["code"]) == (404, "model_not_found")
        assert error["type"] == "invalid_request_error"


async def test_models_of_other_groups_are_left_out(program: ApiClient, alice: User) -> None:
    group = await Group.objects.acreate(name="Team")
    await alice.groups.aadd(group)
    await sync_to_async(model_permissions.set_for)(group, [MODEL])
    found = (await program.get("/v1/models")).json()["data"]
    assert [each["id"] for each in found] == [MODEL]
    assert (await program.complete(model="@cf/openai/gpt-oss-20b")).status_code == 403


async def test_a_list_costs_nothing(program: ApiClient) -> None:
    await program.get("/v1/models")
    assert not await Charge.objects.aexists()
