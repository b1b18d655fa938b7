"""The emulator's vectors are near each other for texts of similar words."""

from operator import mul
from typing import Any

import pytest

from chat.emulator import Emulator
from chat.emulator.common.features import MAX_CHARS
from tests.emulator.exchange import ACCOUNT, run_path, send

PATH = f"{ACCOUNT}/ai/v1/embeddings"
M3, QWEN = "@cf/baai/bge-m3", "@cf/qwen/qwen3-embedding-0.6b"


async def vectors(emulator: Emulator, *texts: str, model: str = M3) -> list[list[float]]:
    reply = await send(emulator, {"model": model, "input": list(texts)}, PATH)
    return [each["embedding"] for each in reply.json["data"]]


async def nearness(emulator: Emulator, *texts: str) -> list[float]:
    """Return how near the first text is to each of the others."""
    first, *others = await vectors(emulator, *texts)
    return [sum(map(mul, first, other)) for other in others]


@pytest.mark.parametrize(
    ("question", "near", "far"),
    [
        (
            "When was the bridge opened?",
            "The bridge opened in 1932, after eight years of work.",
            "When was she elected? She was the mayor of the city when it flooded.",
        ),
        ("How do I cancel my subscriptions?", "Cancelling a subscription", "How do I pay?"),
        ("Wann öffnet die Brücke?", "Öffnungszeiten der Brücken", "Wann kommt die Post an?"),
        ("Error E-4711 of the pump", "E-4711: the valve is stuck", "Errors of pumps are logged"),
        ("متى افتتح الجسر؟", "افتتاح الجسر الكبير", "متى ولدت الملكة؟"),
        ("橋はいつ開通しましたか", "この橋は1932年に開通した", "女王はいつ生まれましたか"),
        ("ธนาคารเปิดกี่โมง", "เวลาทำการของธนาคาร", "เขาเกิดเมื่อไหร่"),
        ("Когда открыли мост?", "Мост открыли в 1932 году", "Когда родилась королева?"),
    ],
)
async def test_a_question_is_nearer_to_its_answer(
    emulator: Emulator, question: str, near: str, far: str
) -> None:
    to_near, to_far = await nearness(emulator, question, near, far)
    assert to_near > to_far


async def test_case_accents_and_marks_change_nothing(emulator: Emulator) -> None:
    (nearest,) = await nearness(emulator, "Café au lait!", "cafe, au lait")
    assert nearest == pytest.approx(1)


async def test_texts_without_words_in_common_are_far_apart(emulator: Emulator) -> None:
    (found,) = await nearness(emulator, "Granite quarries of Aberdeen", "Violin sonata in G minor")
    assert abs(found) < 0.2


@pytest.mark.parametrize("text", ["!?", "\N{PILE OF POO}", "\ud800", " "])
async def test_a_text_without_words_has_a_vector_of_its_own(emulator: Emulator, text: str) -> None:
    found = await nearness(emulator, text, text, "…")
    assert found == [pytest.approx(1), pytest.approx(0, abs=0.01)]


async def test_vectors_of_different_models_are_unlike(emulator: Emulator) -> None:
    (one,), (other,) = [
        await vectors(emulator, "The river is long", model=model) for model in (M3, QWEN)
    ]
    assert len(one) == len(other) == 1024
    assert abs(sum(map(mul, one, other))) < 0.5


async def test_only_the_beginning_of_a_long_text_counts(emulator: Emulator) -> None:
    beginning = "river " * (MAX_CHARS // 6 + 1)
    (found,) = await nearness(emulator, beginning, beginning + "violin " * 1000)
    assert found == pytest.approx(1)


@pytest.mark.parametrize(("model", "most"), [(M3, 100), (QWEN, 32)])
async def test_a_request_has_as_many_texts_as_the_model_takes(
    emulator: Emulator, model: str, most: int
) -> None:
    for path, name in ((PATH, "input"), (run_path(model), "text")):
        body: dict[str, Any] = {"model": model, name: ["a"] * most}
        assert (await send(emulator, body, path)).status == 200
        assert (await send(emulator, {**body, name: ["a"] * (most + 1)}, path)).code == 5006
