"""Providers are described in the catalogue file; their tokens are in the environment."""

from pathlib import Path

import pytest

from chat.lib.catalogue import Provider, read_catalogue, read_catalogue_file
from tests.support.servers.settings_process import read

PROVIDER = """
[providers.second]
base_url = "https://models.example.org/v1/"
token_variable = "SECOND_TOKEN"
requests_per_minute = 60

[[models]]
id = "house/second"
context_window = 8000
provider = "second"
"""


@pytest.fixture
def own_file(tmp_path: Path) -> Path:
    path = tmp_path / "models.toml"
    path.write_text(PROVIDER)
    return path


def test_a_file_describes_providers_and_their_models(own_file: Path) -> None:
    found = read_catalogue_file(own_file)
    assert found.providers == {
        "second": Provider(
            name="second",
            base_url="https://models.example.org/v1",
            token_variable="SECOND_TOKEN",
            requests_per_minute=60,
        )
    }
    assert found.models["house/second"].provider == "second"


def test_the_shipped_models_can_be_included(own_file: Path) -> None:
    own_file.write_text('include = "workers-ai"\n' + PROVIDER)
    models = read_catalogue(own_file)
    assert list(models) == [*read_catalogue(), "house/second"]


@pytest.mark.parametrize(
    ("before", "after", "complaint"),
    [
        ('provider = "second"', 'provider = "third"', "provider: 'third' is not described"),
        ('token_variable = "SECOND_TOKEN"', 'token_variable = "sk-1234"', "not its value"),
        ('token_variable = "SECOND_TOKEN"', 'token = "sk-1234"', "token: unknown key"),
        ("https://models.example.org/v1/", "models.example.org", "expected a web address"),
        ("https://models", "https://me:sk-1234@models", "must contain no secret"),
        ("/v1/", "/client/v4", "account_id: missing"),
        ("requests_per_minute = 60", "requests_per_minute = -1", "whole number of 0 or more"),
        ("requests_per_minute = 60", 'protocol = "grpc"', "protocol: expected one of"),
        ("[providers.second]", f"[providers.{'x' * 41}]", "must have 1 to 40 characters"),
        ("[providers.second]", "[[providers]]", "expected tables like [providers.name]"),
    ],
)
def test_an_invalid_provider_is_reported_without_its_secret(
    own_file: Path, before: str, after: str, complaint: str
) -> None:
    own_file.write_text(PROVIDER.replace(before, after))
    with pytest.raises(ValueError, match="models") as caught:
        read_catalogue_file(own_file)
    assert complaint in str(caught.value)
    assert "sk-1234" not in str(caught.value)


def test_a_missing_token_aborts_startup(own_file: Path, tmp_path: Path) -> None:
    result = read(tmp_path, "DEBUG", MODELS_FILE=str(own_file))
    assert result.returncode == 1
    assert "SECOND_TOKEN is missing" in result.stderr


def test_a_token_can_be_in_a_file(own_file: Path, tmp_path: Path) -> None:
    secret = tmp_path / "token"
    secret.write_text("sk-1234\n")
    environment = {"MODELS_FILE": str(own_file), "SECOND_TOKEN_FILE": str(secret)}
    result = read(tmp_path, "PROVIDER_TOKENS['SECOND_TOKEN'] == 'sk-1234'", **environment)
    assert result.stdout.strip() == "True"
