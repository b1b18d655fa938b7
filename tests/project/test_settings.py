"""Settings are read from the environment; an invalid one aborts startup with a message."""

import os
import re
import stat
from importlib import import_module
from pathlib import Path

import pytest

from project.config import env
from tests.support.servers.server import ROOT
from tests.support.servers.settings_process import check, read

SETTINGS_PAGE = ROOT / "docs" / "settings.md"


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("PORT", "eighty", "whole number"),
        ("PORT", "70000", "between 0 and 65535"),
        ("DEBUG", "maybe", "yes or no"),
        ("SITE_URL", "chat.example.org", "https://chat.example.org"),
        ("DATABASE_URL", "mysql://x/y", "SQLite or PostgreSQL"),
        ("DATABASE_URL", "nonsense", "DATABASE_URL"),
        ("EMAIL_URL", "mail.example.org", "smtp://"),
        ("EMAIL_CONFIRMATION", "perhaps", "optional, mandatory, none"),
        ("CLOUDFLARE_API_TOKEN", "secret-value", "CLOUDFLARE_ACCOUNT_ID"),
        ("WORKERS_AI_BASE_URL", "ftp://x", "web address"),
        ("UPSTREAM_IDLE_SECONDS", "-1", "between 0.01 and 31536000"),
        ("REDIS_URL", "memcached://:secret-value@host", "redis://"),
        ("REDIS_URL", "redis://:secret-value@host:port/0", "redis://"),
        ("REDIS_URL", "redis://:secret-value@host:6379/first", "redis://"),
        ("LOG_FORMAT", "xml", "line, json"),
        ("SECRET_KEY_FILE", "/nowhere/key", "can't be read"),
        ("MODELS_FILE", "/nowhere/models.toml", "MODELS_FILE"),
        ("DEFAULT_MODEL", "@cf/nobody/knows", "DEFAULT_MODEL"),
        ("KNOWLEDGE_EMBEDDING_MODEL", "@cf/baai/bge-reranker-base", "embedding models"),
        ("KNOWLEDGE_RERANK_MODEL", "@cf/baai/bge-m3", "reranking models"),
        ("CHALLENGE_SECRET", "secret-value", "set all or none"),
    ],
)
def test_an_invalid_value_aborts_startup_with_a_message(
    name: str, value: str, words: str, tmp_path: Path
) -> None:
    result = read(tmp_path, "DEBUG", **{name: value})
    assert result.returncode == 1
    assert words in result.stderr
    assert "Traceback" not in result.stderr
    assert "secret-value" not in result.stderr


def test_without_a_secret_key_one_is_created_and_kept(tmp_path: Path) -> None:
    read(tmp_path, "DEBUG")
    key = tmp_path / "data" / "secret_key"
    first = key.read_text()
    assert len(first) >= 50
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    assert stat.S_IMODE(key.parent.stat().st_mode) == 0o700
    read(tmp_path, "DEBUG")
    assert key.read_text() == first


def test_a_secret_key_readable_by_others_aborts_startup(tmp_path: Path) -> None:
    read(tmp_path, "DEBUG")
    key = tmp_path / "data" / "secret_key"
    key.chmod(0o644)
    result = read(tmp_path, "DEBUG")
    assert "chmod 600" in result.stderr
    assert key.read_text() not in result.stderr


@pytest.mark.parametrize(
    ("content", "words"), [(b"", "is empty"), (b" \n", "is empty"), (b"\xff", "can't be read")]
)
def test_a_secret_key_that_is_lost_aborts_startup(
    content: bytes, words: str, tmp_path: Path
) -> None:
    read(tmp_path, "DEBUG")
    key = tmp_path / "data" / "secret_key"
    key.write_bytes(content)
    result = read(tmp_path, "DEBUG")
    assert result.returncode == 1
    assert f"{key}, which {words}" in result.stderr
    assert "put back the file of a backup" in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_a_secret_key_that_is_a_link_to_nothing_aborts_startup(tmp_path: Path) -> None:
    key = tmp_path / "data" / "secret_key"
    key.parent.mkdir()
    key.symlink_to("/nowhere/secret_key")
    result = read(tmp_path, "DEBUG")
    assert f"{key}, which can't be read (No such file or directory)" in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_a_secret_can_be_read_from_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "token").write_text("t0ken\n")
    monkeypatch.setenv("SOME_FILE", str(tmp_path / "token"))
    assert env.env_secret("SOME") == "t0ken"
    monkeypatch.setenv("SOME", "x")
    with pytest.raises(SystemExit, match="keep one"):
        env.env_secret("SOME")
    for name in ("SOME", "SOME_FILE"):
        env.READ.pop(name)


EMBEDDING = '[[models]]\nid = "{}"\ncontext_window = 512\n'


@pytest.mark.parametrize(
    ("models", "chosen", "found"),
    [
        (
            ["house/small", "@cf/qwen/qwen3-embedding-0.6b", "@cf/baai/bge-m3"],
            "",
            "@cf/baai/bge-m3",
        ),
        (["house/small", "@cf/qwen/qwen3-embedding-0.6b"], "", "@cf/qwen/qwen3-embedding-0.6b"),
        (["house/small", "house/large"], "", "house/small"),
        (["house/small", "house/large"], "house/large", "house/large"),
        (["house/small"], "none", ""),
        ([], "", ""),
    ],
)
def test_documents_are_indexed_by_the_preferred_embedding_model(
    models: list[str], chosen: str, found: str, tmp_path: Path
) -> None:
    reranker = EMBEDDING.format("house/reranker") + 'task = "rerank"\n'
    file = tmp_path / "models.toml"
    file.write_text("".join([reranker, *map(EMBEDDING.format, models)]))
    result = read(
        tmp_path,
        "(KNOWLEDGE_EMBEDDING_MODEL, KNOWLEDGE_RERANK_MODEL, list(RERANK_MODELS))",
        EMBEDDING_MODELS_FILE=str(file),
        KNOWLEDGE_EMBEDDING_MODEL=chosen,
    )
    assert result.stdout.strip() == str((found, "", ["house/reranker"])), result.stderr


def test_a_reranking_model_cannot_be_offered_for_chats(tmp_path: Path) -> None:
    file = tmp_path / "models.toml"
    file.write_text(EMBEDDING.format("house/reranker") + 'task = "rerank"\n')
    result = read(tmp_path, "MODELS", MODELS_FILE=str(file))
    assert "EMBEDDING_MODELS_FILE" in result.stderr


def test_a_site_with_https_passes_djangos_deployment_check(tmp_path: Path) -> None:
    arguments = ("check", "--deploy", "--fail-level", "WARNING")
    result = check(
        tmp_path,
        *arguments,
        SITE_URL="https://chat.example.org",
        TRUSTED_PROXY_COUNT="1",
        EMAIL_URL="smtp://mail.example.org",
        WORKERS_AI_BASE_URL="https://models.example.org/v1",
    )
    assert result.returncode == 0, result.stderr


@pytest.mark.long
def test_cookies_hosts_and_proxies_follow_site_url(tmp_path: Path) -> None:
    code = (
        "from django.conf import settings as s;"
        "print(s.SESSION_COOKIE_SECURE, s.CSRF_COOKIE_SECURE, s.ALLOWED_HOSTS,"
        " s.CSRF_TRUSTED_ORIGINS, s.TRUSTED_PROXY_COUNT, s.SECURE_PROXY_SSL_HEADER)"
    )
    safe = check(
        tmp_path,
        "shell",
        "-v0",
        "-c",
        code,
        SITE_URL="https://chat.example.org",
        TRUSTED_PROXY_COUNT="2",
    )
    assert safe.stdout.split() == [
        "True", "True", "['chat.example.org']", "['https://chat.example.org']", "2",
        "('HTTP_X_FORWARDED_PROTO',", "'https')",
    ]  # fmt: skip
    local = check(tmp_path, "shell", "-v0", "-c", code)
    assert local.stdout.startswith("False False ['127.0.0.1', 'localhost'")


def test_exactly_the_existing_settings_are_documented_with_their_defaults() -> None:
    rows = dict(
        re.findall(
            r"^\| `(\w+)` \| (?:`([^`]*)`|[^|]*) \|", SETTINGS_PAGE.read_text(), re.MULTILINE
        )
    )
    known = {
        name for name in env.READ if not name.endswith("_FILE") or name.endswith("MODELS_FILE")
    }
    assert set(rows) == known
    for name, default in rows.items():
        if name not in {"DATA_DIR", "SITE_URL", "EMAIL_FROM", *os.environ}:
            assert default == env.READ[name], name


def test_the_libraries_that_processes_of_tests_share_exist() -> None:
    """Otherwise each of them would load its own without a word."""
    import_module("tests.support.servers.loaded_libraries")


@pytest.mark.parametrize(
    ("host", "url", "accepted"),
    [
        ("::1", "http://[::1]:8000", "[::1]"),
        ("2001:db8::1", "http://[2001:db8::1]:8000", "[2001:db8::1]"),
        ("::", "http://localhost:8000", "localhost"),
        ("0.0.0.0", "http://localhost:8000", "localhost"),
    ],
)
def test_an_ipv6_address_has_brackets_in_the_site_url(
    tmp_path: Path, host: str, url: str, accepted: str
) -> None:
    assert read(tmp_path, "SITE_URL", HOST=host).stdout.strip() == url
    assert f"'{accepted}'" in read(tmp_path, "ALLOWED_HOSTS", HOST=host).stdout
    assert "True" in read(tmp_path, "PRIVATE_PROVIDERS", SITE_URL="http://[::1]:8171").stdout
