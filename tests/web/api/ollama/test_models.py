"""Models and embeddings in Ollama's shapes, as its package reads them."""

from typing import Any

import pytest
from ollama import EmbedResponse, ListResponse, ProcessResponse, ShowResponse

from chat.accounts.models import User
from tests.support.api.api_client import GPT_OSS, MODEL, ApiClient, new_api_client
from tests.support.web.attached_images import VISION

BGE = "@cf/baai/bge-m3"


async def test_the_list_has_models_for_chats_and_for_embeddings(program: ApiClient) -> None:
    listed = ListResponse.model_validate((await program.get("/api/tags")).json())
    names = [each.model for each in listed.models]
    offered = [each["id"] for each in (await program.get("/v1/models")).json()["data"]]
    assert names[: len(offered)] == offered
    assert BGE in names[len(offered) :]
    assert len({each.digest for each in listed.models}) == len(names)


async def test_a_key_for_some_models_lists_only_these(
    alice: User, stop_server_process: None
) -> None:
    limited = await new_api_client(alice, allowed_models=[MODEL])
    listed = (await limited.get("/api/tags")).json()["models"]
    assert [each["name"] for each in listed] == [MODEL]
    for name in (GPT_OSS, BGE):
        assert (await limited.post("/api/show", {"model": name})).status_code == 403


@pytest.mark.parametrize(
    ("body", "capabilities"),
    [
        ({"model": MODEL}, {"completion", "tools"}),
        ({"name": f"{VISION}:latest"}, {"completion", "tools", "vision"}),
        ({"model": GPT_OSS, "verbose": True}, {"completion", "tools", "thinking"}),
        ({"model": BGE}, {"embedding"}),
    ],
)
async def test_a_model_says_what_it_can(
    program: ApiClient, body: dict[str, Any], capabilities: set[str]
) -> None:
    shown = ShowResponse.model_validate((await program.post("/api/show", body)).json())
    assert set(shown.capabilities or ()) == capabilities
    assert shown.modelinfo
    assert shown.details
    family = shown.modelinfo["general.architecture"]
    assert shown.modelinfo[f"{family}.context_length"] > 500
    assert shown.details.family == family


async def test_no_model_is_in_memory_and_the_version_is_one_of_ollamas(program: ApiClient) -> None:
    assert ProcessResponse.model_validate((await program.get("/api/ps")).json()).models == []
    version = (await program.get("/api/version")).json()["version"]
    assert tuple(map(int, version.split("."))) >= (0, 13, 4)  # what Codex requires


async def test_each_text_has_its_vector(program: ApiClient) -> None:
    body = {"model": f"{BGE}:latest", "input": ["One", "Two"], "truncate": True, "keep_alive": "5m"}
    found = (await program.post("/api/embed", body)).json()
    one, two = EmbedResponse.model_validate(found).embeddings
    assert len(one) == 1024
    assert one != two
    assert found["model"] == f"{BGE}:latest"
    assert found["prompt_eval_count"] > 0
    assert found["total_duration"] > 0
    (alone,) = (await program.post("/api/embed", {"model": BGE, "input": "One"})).json()[
        "embeddings"
    ]
    old = (await program.post("/api/embeddings", {"model": BGE, "prompt": "One"})).json()
    assert old == {"embedding": alone}
    assert alone == one


async def test_without_a_text_there_is_no_vector(program: ApiClient) -> None:
    nothing: list[Any] = ["", []]
    for text in nothing:
        found = (await program.post("/api/embed", {"model": BGE, "input": text})).json()
        assert found["embeddings"] == []
    assert (await program.post("/api/embeddings", {"model": BGE})).json() == {"embedding": []}


@pytest.mark.parametrize(
    ("path", "body", "status", "words"),
    [
        ("embed", {"input": "a"}, 400, "model"),
        ("embed", {"model": BGE, "input": ["a", ""]}, 400, "input"),
        ("embed", {"model": BGE, "input": "a", "dimensions": 8}, 400, "dimensions"),
        ("embed", {"model": MODEL, "input": "a"}, 400, "this model does not support embeddings"),
        ("embed", {"model": "bge", "input": "a"}, 404, "model 'bge' not found"),
        ("embeddings", {"prompt": "a"}, 400, "model"),
        ("chat", {"model": BGE, "messages": []}, 400, "does not support chat"),
        ("show", {"model": "llama9:latest"}, 404, "model 'llama9:latest' not found"),
        ("show", {}, 400, "model is required"),
        ("chat", {"model": ":latest"}, 404, "model ':latest' not found"),
    ],
)
async def test_what_a_model_cannot_do_is_refused(
    program: ApiClient, path: str, body: dict[str, Any], status: int, words: str
) -> None:
    response = await program.post(f"/api/{path}", body)
    assert response.status_code == status
    assert words in response.json()["error"]
