"""The files in deploy/ name only settings, commands, ports and files that exist."""

import re
import shlex
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import yaml
from django.conf import settings
from django.core.management import get_commands

import project.settings  # noqa: F401  (reads all settings)
from project import lifespan
from project.config import env
from tests.support.servers.server import ROOT

DEPLOY = ROOT / "deploy"
COMPOSE = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
SITE = COMPOSE["services"]["site"]
PROXY = COMPOSE["services"]["proxy"]
EXAMPLE = dict(
    line.split("=", 1)
    for line in (DEPLOY / ".env.example").read_text().splitlines()
    if line and not line.startswith("#")
)
DOCKERFILE = re.sub(r"\\\n\s*", "", (DEPLOY / "Dockerfile").read_text())
IMAGE_ENV = dict(
    each.split("=", 1)
    for line in re.findall(r"^ENV (.*)$", DOCKERFILE, re.MULTILINE)
    for each in shlex.split(line)
)
UNIT = (DEPLOY / "systemd" / "runnel.service").read_text()
CADDYFILE = (DEPLOY / "Caddyfile").read_text()
NGINX = (DEPLOY / "nginx.conf").read_text()
#: Not ours: of Compose and Caddy, of the shell and of Python.
OTHERS = {"SITE_HOST", "POSTGRES_PASSWORD", "PATH", "PYTHONUNBUFFERED", "PYTHONDONTWRITEBYTECODE"}
#: What whoever kills processes must allow, besides `DRAIN_SECONDS`.
LEAST_STOP_SECONDS = settings.DRAIN_SECONDS + lifespan.SHUTDOWN_SECONDS


def unit(name: str) -> list[str]:
    return re.findall(rf"^{name}=(.*)$", UNIT, re.MULTILINE)


def variables(text: str) -> set[str]:
    return set(re.findall(r"\$\{(\w+)", text))


@pytest.mark.parametrize(
    "names",
    [
        set(EXAMPLE),
        set(SITE["environment"]),
        set(IMAGE_ENV),
        {each.split("=")[0] for line in unit("Environment") for each in shlex.split(line)},
    ],
    ids=["example", "compose", "image", "unit"],
)
def test_only_existing_settings_are_named(names: set[str]) -> None:
    assert names - OTHERS <= set(env.READ)


def test_the_example_has_what_production_needs_and_compose_uses() -> None:
    needed = {"SITE_URL", "TRUSTED_PROXY_COUNT", "SECRET_KEY", "DATABASE_URL", "REDIS_URL"}
    needed |= {"EMAIL_URL", "CLOUDFLARE_API_TOKEN", "WORKERS_AI_BASE_URL", "DRAIN_SECONDS"}
    assert needed <= set(EXAMPLE)
    assert variables((DEPLOY / "compose.yaml").read_text()) <= set(EXAMPLE)


def test_the_example_contains_no_secret() -> None:
    secret = [n for n in EXAMPLE if re.search("KEY|TOKEN|PASSWORD", n)]
    assert len(secret) >= 4
    assert all(EXAMPLE[name] == "" for name in secret)


def test_commands_exist() -> None:
    commands = re.findall(r'^CMD \["python", "manage.py", "(\w+)"\]', DOCKERFILE, re.MULTILINE)
    commands += re.findall(r"/manage\.py (\w+)$", unit("ExecStart")[0])
    assert commands == ["serve", "serve"]
    assert set(commands) <= set(get_commands())
    assert 'CMD ["python", "-m", "project.serving.worker_health"]' in DOCKERFILE
    assert (ROOT / "project" / "serving" / "worker_health.py").exists()
    assert unit("ExecReload") == ["/bin/kill -HUP $MAINPID"]


def test_copied_and_mounted_files_exist() -> None:
    targets = set(re.findall(r"^\.?([\w./]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    ignored = (ROOT / ".dockerignore").read_text()
    for name in re.findall(r"^!(\S+)$", ignored, re.MULTILINE):
        assert (ROOT / name).exists(), name
    for line in re.findall(r"^COPY (?!--)(.*) \S+$", DOCKERFILE, re.MULTILINE):
        for name in line.split():
            assert name == "." or f"!{name}\n" in ignored, name
    for target in re.findall(r"make ([\w ./]+?)(?: &&|$)", DOCKERFILE, re.MULTILINE):
        assert set(target.split()) - {"make"} <= targets | {"node_modules/.runtime"}
    mounted = [each.split(":")[0] for each in PROXY["volumes"] if each.startswith("./")]
    assert mounted == ["./Caddyfile"]
    assert (DEPLOY / SITE["env_file"]).name == ".env"
    assert (DEPLOY / SITE["build"]["context"] / SITE["build"]["dockerfile"]).exists()


def test_volumes_and_services_exist() -> None:
    for service in COMPOSE["services"].values():
        for each in service.get("volumes", []):
            assert each.startswith("./") or each.split(":")[0] in COMPOSE["volumes"], each
        assert set(service["networks"]) <= set(COMPOSE["networks"])
        assert set(service.get("depends_on", [])) <= set(COMPOSE["services"])
    for name in ("DATABASE_URL", "REDIS_URL"):
        url = re.sub(r"\$\{.*?\}", "x", SITE["environment"][name])
        assert urlsplit(url).hostname in COMPOSE["services"]


def test_proxies_know_the_workers_and_the_static_files() -> None:
    port, count = int(SITE["environment"]["PORT"]), int(SITE["environment"]["WORKERS"])
    expected = [f"site:{each}" for each in range(port, port + count)]
    assert PROXY["environment"]["UPSTREAMS"].split() == expected
    assert set(re.findall(r"\{\$(\w+)", CADDYFILE)) == set(PROXY["environment"])
    cached = str(Path(IMAGE_ENV["STATIC_DIR"]).parent)
    assert f"static:{cached}" in SITE["volumes"]
    assert f"static:{cached}:ro" in PROXY["volumes"]
    assert PROXY["environment"]["STATIC_ROOT"] == cached
    assert f"root {cached};" in NGINX
    assert f"STATIC_DIR={IMAGE_ENV['STATIC_DIR']}" in unit("Environment")
    first = int(EXAMPLE["WORKERS"])
    assert len(re.findall(r"^ +server 127\.0\.0\.1:80\d\d ", NGINX, re.MULTILINE)) == first


def test_commands_use_the_data_of_the_service() -> None:
    assert "DATA_DIR=/var/lib/runnel" in unit("Environment")
    for name in ("runnel-manage", "runnel-prune.service"):
        text = (DEPLOY / "systemd" / name).read_text()
        assert "EnvironmentFile=/etc/runnel/env" in text, name
        assert re.search(r"DATA_DIR=/var/lib/runnel\s", text), name


def test_whoever_kills_waits_for_the_drain() -> None:
    grace = int(SITE["stop_grace_period"].removesuffix("s"))
    assert min(grace, int(unit("TimeoutStopSec")[0])) >= LEAST_STOP_SECONDS
    assert float(EXAMPLE["DRAIN_SECONDS"]) <= settings.DRAIN_SECONDS


def test_the_site_runs_without_privileges_on_a_read_only_root() -> None:
    assert SITE["read_only"]
    assert SITE["cap_drop"] == ["ALL"]
    assert re.search(r"^USER 10001:10001$", DOCKERFILE, re.MULTILINE)
    assert unit("ProtectSystem") == ["strict"]
    assert unit("NoNewPrivileges") == ["yes"]
    assert unit("User") == ["runnel"]
    written = set(re.findall(r'VOLUME \["([^"]+)", "([^"]+)"\]', DOCKERFILE)[0])
    assert written == {IMAGE_ENV["DATA_DIR"], str(Path(IMAGE_ENV["STATIC_DIR"]).parent)}
