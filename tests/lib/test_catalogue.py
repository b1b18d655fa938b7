from datetime import date
from pathlib import Path

import pytest

from chat.lib.catalogue import Model, read_catalogue

LLAMA = "@cf/meta/llama-3.3-70b-instruct-fp8-fast"


@pytest.fixture
def own_file(tmp_path: Path) -> Path:
    return tmp_path / "models.toml"


def test_the_shipped_models_have_names_and_prices() -> None:
    models = read_catalogue()
    offered = [model for model in models.values() if model.is_offered]
    assert 24 <= len(offered) <= 28
    for model_id, model in models.items():
        assert model.id == model_id
        assert model.name != model_id.rpartition("/")[2]
    for model in offered:
        assert (model.output_usd_per_million or 0) > 0
        assert (model.output_neurons_per_million or 0) > 0


def test_a_shipped_model_says_what_it_costs_and_can_do() -> None:
    assert read_catalogue()[LLAMA] == Model(
        id=LLAMA,
        name="Llama 3.3 70B",
        context_window=24000,
        input_usd_per_million=0.293,
        output_usd_per_million=2.253,
        input_neurons_per_million=26668,
        output_neurons_per_million=204805,
        default_max_tokens=256,
        family="native",
        tools=True,
        lora=True,
    )


def test_the_enforced_window_is_used_if_it_is_smaller() -> None:
    gemma = read_catalogue()["@cf/google/gemma-4-26b-a4b-it"]
    assert (gemma.context_window, gemma.advertised_window) == (131072, 256000)


def test_neurons_agree_with_the_price_in_dollars() -> None:
    for model in read_catalogue().values():
        if model.output_usd_per_million and model.output_neurons_per_million:
            dollars = model.output_neurons_per_million * 0.011 / 1000
            assert dollars == pytest.approx(model.output_usd_per_million, rel=0.01)


def test_only_reasoning_models_have_a_reasoning_style() -> None:
    for model in read_catalogue().values():
        assert model.reasoning == bool(model.reasoning_style)


def test_a_retired_model_is_marked_as_deprecated() -> None:
    assert read_catalogue()["@cf/microsoft/phi-2"].deprecated


def test_a_custom_catalogue_needs_only_ids_and_windows(own_file: Path) -> None:
    own_file.write_text('[[models]]\nid = "house/brew"\ncontext_window = 4096\n')
    assert read_catalogue(own_file) == {
        "house/brew": Model(id="house/brew", name="brew", context_window=4096)
    }


def test_a_reasoning_model_without_a_style_gets_the_default_one(own_file: Path) -> None:
    own_file.write_text('[[models]]\nid = "a"\ncontext_window = 1\nreasoning = true\n')
    assert read_catalogue(own_file)["a"].reasoning_style == "reasoning_content"


def test_a_free_model_differs_from_one_without_a_price(own_file: Path) -> None:
    own_file.write_text('[[models]]\nid = "a"\ncontext_window = 1\ninput_usd_per_million = 0\n')
    model = read_catalogue(own_file)["a"]
    assert model.input_usd_per_million == 0
    assert model.output_usd_per_million is None


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("models = 3 4", "not a TOML file"),
        ("", "models: expected at least one"),
        ("models = []", "models: expected at least one"),
        ("[[model]]\nid = 'a'", "model: unknown key"),
        ("models = [1]", "model 1 (not a table): expected a table"),
        ("[[models]]\ncontext_window = 1", "model 1 (no id): id: missing"),
        ("[[models]]\nid = 'a'", "model 1 (a): context_window: missing"),
        ("[[models]]\nid = ' '\ncontext_window = 1", "id: expected text"),
        ("[[models]]\nid = 'a'\ncontext_window = 0", "context_window: expected a whole number"),
        ("[[models]]\nid = 'a'\ncontext_window = true", "context_window: expected a whole number"),
        ("[[models]]\nid = 'a'\ncontext_window = 1\nprice = 1", "price: unknown key"),
        (
            "[[models]]\nid = 'a'\ncontext_window = 1\ninput_usd_per_million = -1",
            "input_usd_per_million: expected a number of 0 or more, not -1",
        ),
        (
            "[[models]]\nid = 'a'\ncontext_window = 1\ninput_usd_per_million = nan",
            "input_usd_per_million: expected a number",
        ),
        (
            "[[models]]\nid = 'a'\ncontext_window = 1\ntools = 'yes'",
            "tools: expected true or false",
        ),
        ("[[models]]\nid = 'a'\ncontext_window = 1\nfamily = 'x'", "family: expected one of"),
        (
            "[[models]]\nid = 'a'\ncontext_window = 1\n[[models]]\nid = 'a'\ncontext_window = 1",
            "model 2 (a): id: listed twice",
        ),
    ],
)
def test_an_invalid_file_is_reported_with_its_entry_and_key(
    own_file: Path, content: str, complaint: str
) -> None:
    own_file.write_text(content)
    with pytest.raises(ValueError, match=r"models\.toml: ") as caught:
        read_catalogue(own_file)
    assert complaint in str(caught.value)


def test_retired_models_have_their_limits_and_replacements() -> None:
    models = read_catalogue()
    for name, lengths in {
        "@cf/meta/llama-2-7b-chat-int8": (2048, 1800),
        "@cf/meta/llama-2-7b-chat-fp16": (3072, 2500),
    }.items():
        assert (models[name].max_input_tokens, models[name].max_output_tokens) == lengths
        assert not models[name].listed
        assert models[models[name].replaced_by].listed
    assert models["@cf/google/gemma-2b-it-lora"].replaced_by == ""


def test_a_model_is_replaced_only_by_an_offered_one(own_file: Path) -> None:
    for replacement in ("none", "a"):
        own_file.write_text(
            f'[[models]]\nid = "a"\ncontext_window = 1\nreplaced_by = "{replacement}"\n'
        )
        with pytest.raises(ValueError, match="a: replaced_by"):
            read_catalogue(own_file)


def test_input_and_output_can_have_separate_limits() -> None:
    model = Model(id="a", context_window=3848, max_input_tokens=2048, max_output_tokens=1800)
    assert model.max_answer_tokens(5000) == 1800
    assert model.max_answer_tokens(100) == 100
    assert model.prompt_window(1800) == 3848
    assert model.prompt_window(100) == 2148
    plain = Model(id="b", context_window=4096)
    assert plain.max_answer_tokens(5000) == 2048
    assert plain.prompt_window(100) == 4096
    assert plain.prompt_window(100, window=1000) == 1000


@pytest.mark.parametrize(
    "name",
    [
        "@cf/meta/llama-3.2-1b-instruct",
        "@cf/meta/llama-3.2-3b-instruct",
        "@cf/meta/llama-3.1-8b-instruct-fast",
        "@cf/meta/llama-3.2-11b-vision-instruct",
        "@cf/meta/llama-guard-3-8b",
        "@cf/qwen/qwen2.5-coder-32b-instruct",
        "@cf/deepseek-ai/deepseek-v4-pro-0813",
        "@cf/zai-org/glm-5.2",
        "@cf/moonshotai/kimi-k2.7-code",
        "@cf/aisingapore/gemma-sea-lion-v4-27b-it",
        "@cf/swiss-ai/apertus-v1.5-8b",
        "@cf/mistral/mistral-7b-instruct-v0.2-lora",
        "@cf/google/gemma-7b-it-lora",
        "@cf/google/gemma-2b-it-lora",
        "@cf/meta-llama/llama-2-7b-chat-hf-lora",
    ],
)
def test_a_model_that_the_service_has_is_known(name: str) -> None:
    assert not read_catalogue()[name].is_gone


def test_classifiers_and_bases_for_adapters_are_not_offered() -> None:
    for name, model in read_catalogue().items():
        if name.endswith("-lora") or "guard" in name:
            assert not model.listed


def test_an_end_of_life_is_a_date(own_file: Path) -> None:
    own_file.write_text('[[models]]\nid = "a"\ncontext_window = 1\nends_on = 2027-01-31\n')
    assert read_catalogue(own_file)["a"].ends_on == date(2027, 1, 31)
    own_file.write_text('[[models]]\nid = "a"\ncontext_window = 1\nends_on = "soon"\n')
    with pytest.raises(ValueError, match="ends_on: expected a date"):
        read_catalogue(own_file)
