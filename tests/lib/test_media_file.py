"""The audio and image models are in a catalogue file of their own."""

from pathlib import Path

import pytest

from chat.lib.catalogue import MediaModel, read_media_file
from tests.support.servers.settings_process import read

HOUSE = """
[providers.house]
base_url = "http://127.0.0.1:9000/v1"

[[models]]
id = "house/voice"
id_there = "kokoro"
task = "speech"
provider = "house"
usd_per_thousand_characters = 0
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "media.toml"


def test_the_shipped_file_has_a_model_for_each_task() -> None:
    models = read_media_file().models.values()
    assert {each.task for each in models} == {"transcription", "speech", "image"}
    assert all(each.schema for each in models)


def test_a_file_describes_its_own_providers_and_models(path: Path) -> None:
    path.write_text(HOUSE)
    found = read_media_file(path)
    assert found.providers["house"].base_url == "http://127.0.0.1:9000/v1"
    assert found.models["house/voice"] == MediaModel(
        id="house/voice", id_there="kokoro", task="speech", provider="house", name="voice"
    )
    assert found.models["house/voice"].provider_id == "kokoro"


def test_the_shipped_models_can_be_included(path: Path) -> None:
    path.write_text('include = "workers-ai"\n' + HOUSE)
    assert list(read_media_file(path).models) == [*read_media_file().models, "house/voice"]


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ('task = "speech"', "", "task: missing"),
        ('task = "speech"', 'task = "dance"', "task: expected one of"),
        ("usd_per_thousand_characters = 0", "", "usd_per_thousand_characters: missing"),
        ("usd_per_thousand_characters = 0", "usd_per_image = 1", "write 0 if it is free"),
        ('provider = "house"', 'schema = "flux"', "schema: 'flux' is not for speech"),
        ('provider = "house"', 'provider = "other"', "'other' is not described"),
        ('provider = "house"', "default_steps = 2", "more than max_steps"),
        ('provider = "house"', "context_window = 1", "context_window: unknown key"),
        ("[[models]]", 'include = "all"\n[[models]]', "include"),
    ],
)
def test_a_mistake_is_named(path: Path, old: str, new: str, problem: str) -> None:
    path.write_text(HOUSE.replace(old, new))
    with pytest.raises(ValueError, match=problem):
        read_media_file(path)


def test_a_site_reads_the_file_and_stops_if_it_is_wrong(path: Path) -> None:
    path.write_text(HOUSE)
    found = read(path.parent, "MEDIA_MODELS.keys(), PROVIDERS", MEDIA_MODELS_FILE=str(path))
    assert found.returncode == 0, found.stderr
    assert "house/voice" in found.stdout
    path.write_text("x")
    refused = read(path.parent, "MEDIA_MODELS", MEDIA_MODELS_FILE=str(path))
    assert refused.returncode != 0
    assert "MEDIA_MODELS_FILE" in refused.stderr
