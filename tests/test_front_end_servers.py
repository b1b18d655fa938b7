"""Servers that relay answers, written as in docs/front_ends.md."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from chat.lib.sse import SseDecoder
from tests.support.browser.guides import FOLDER, block, build, need_packages, node
from tests.support.generations.stream_reader import Stream
from tests.support.patience import PATIENCE_SECONDS
from tests.support.servers.server import ROOT, Server, free_port, running

PAGE = "front_ends.md"
START_SECONDS = PATIENCE_SECONDS
MAKE_SITE = """
from chat.accounts.models import User
from chat.widget_sites.models import WidgetSite
owner = User.objects.create_user("alice@example.org", "x")
origins = ["https://www.example.org"]
print(WidgetSite.objects.create(owner=owner, name="Shop", origins=origins).key)
"""
IS_SETTLED = """
from chat.quotas.models import Charge
print(Charge.objects.filter(settled_at=None).count())
"""
#: A minimal Django site with the guide's view.
DJANGO = """
import sys
from django.conf import settings
from django.core.asgi import get_asgi_application
from django.urls import path

settings.configure(ROOT_URLCONF=__name__, ALLOWED_HOSTS=["*"], SECRET_KEY="x", MIDDLEWARE=[])
import views

urlpatterns = [path("chat", views.chat)]
application = get_asgi_application()
"""


@pytest.fixture(scope="module")
def site() -> Iterator[Server]:
    with running(EMULATOR_TOKENS_PER_SECOND="50") as server:
        yield server


@pytest.fixture(scope="module")
def told(site: Server) -> Callable[[str], str]:
    """Return the guide's code with the site's URL instead of the example's."""
    key = site.run(MAKE_SITE)
    return lambda code: code.replace("https://chat.example.org", site.url).replace(
        "<site key>", key
    )


@contextmanager
def serving(*command: str, port: int, cwd: Path, **names: str) -> Iterator[str]:
    """Start a server, and yield its URL once it responds."""
    process = subprocess.Popen(command, cwd=cwd, env={"PATH": os.environ["PATH"], **names})
    url = f"http://127.0.0.1:{port}"
    try:
        deadline = time.monotonic() + START_SECONDS
        while True:
            assert process.poll() is None, "the server ended"
            try:
                httpx.get(f"{url}/nothing-here", timeout=20, trust_env=False)
                break
            except httpx.TransportError:
                assert time.monotonic() < deadline, "the server does not answer"
                time.sleep(0.1)
        yield url
    finally:
        process.terminate()
        process.wait(10)


@contextmanager
def folder() -> Iterator[Path]:
    (FOLDER / "build").mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=FOLDER / "build", prefix="server") as name:
        yield Path(name)


@contextmanager
def django_server(told: Callable[[str], str]) -> Iterator[str]:
    with folder() as place:
        (place / "views.py").write_text(told(block("python", "# views.py", PAGE)))
        (place / "shop.py").write_text(DJANGO)
        port = free_port()
        command = [sys.executable, "-m", "uvicorn", "--port", str(port), "shop:application"]
        with serving(*command, port=port, cwd=place) as url:
            yield f"{url}/chat"


@contextmanager
def php_server(told: Callable[[str], str]) -> Iterator[str]:
    need_packages()
    with folder() as place:
        (place / "proxy.php").write_text(told(block("php", "// proxy.php", PAGE)))
        port = free_port()
        script = str(FOLDER / "php_server.mjs")
        with serving(node(), script, "proxy.php", str(port), port=port, cwd=place) as url:
            yield f"{url}/proxy.php"


@contextmanager
def nuxt_server(told: Callable[[str], str]) -> Iterator[str]:
    with folder() as place:
        shutil.copytree(FOLDER / "documents" / "nuxt", place, dirs_exist_ok=True)
        route = place / "server" / "api" / "ai-test.post.ts"
        route.parent.mkdir(parents=True)
        route.write_text(told(block("ts", "// server/api/chat.post.ts", PAGE)))
        build(place, "nuxt", "build")
        port = free_port()
        with serving(
            node(), ".output/server/index.mjs", port=port, cwd=place, PORT=str(port),
            HOST="127.0.0.1",
        ) as url:  # fmt: skip
            yield f"{url}/api/ai-test"


pytestmark = [pytest.mark.long, pytest.mark.timeout(600)]
SERVERS = [
    pytest.param(django_server, id="Django"),
    pytest.param(php_server, id="PHP"),
    pytest.param(nuxt_server, id="Nuxt"),
]


@pytest.mark.parametrize("server", SERVERS)
def test_a_server_relays_answers_as_they_stream(
    server: Callable[..., Iterator[str]], site: Server, told: Callable[[str], str]
) -> None:
    with server(told) as url:  # type: ignore[attr-defined]
        whole = asked(url, "Where is New York?")
        assert "New York" in whole.text
        assert (whole.key("state"), whole.done) == ("complete", True)
        failed = asked(url, "/error-after 12")
        assert failed.key("error")["message"]
        refused = httpx.post(url, json={"prompt": " "}, timeout=30, trust_env=False)
        assert refused.status_code == 400
        assert refused.json()["error"]["code"] == "bad_request"
        assert begins_before_it_ends(url, site)
        if server is not php_server:  # whose server is ours, and does not hear that a client went
            assert ends_when_nobody_reads(site)


def asked(url: str, prompt: str) -> Stream:
    stream, decoder = Stream(), SseDecoder()
    with httpx.stream("POST", url, json={"prompt": prompt}, timeout=60, trust_env=False) as answer:
        assert answer.status_code == 200
        assert answer.headers["Content-Type"].startswith("text/event-stream")
        for chunk in answer.iter_raw():
            stream.feed(decoder, chunk)
    return stream


def begins_before_it_ends(url: str, site: Server) -> bool:
    """Return whether text arrives before the answer is settled."""
    with httpx.stream(
        "POST", url, json={"prompt": "/long 6000"}, timeout=60, trust_env=False
    ) as answer:
        text = b""
        for chunk in answer.iter_raw():
            text += chunk
            if text.count(b"data: ") > 3:
                return site.run(IS_SETTLED) == "1"
    return False


def ends_when_nobody_reads(site: Server) -> bool:
    """Return whether the answer stops long before its end."""
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        if site.run(IS_SETTLED) == "0":
            return True
        time.sleep(0.1)
    return False


def test_node_reads_answers_with_eventsource(
    site: Server, told: Callable[[str], str], tmp_path: Path
) -> None:
    need = ROOT / "node_modules" / "eventsource"
    assert need.is_dir(), "make setup installs it"
    script = ROOT / "node_modules" / ".front-end-test.mjs"  # where its packages are found
    address = told("https://chat.example.org/w/<site key>/chat?prompt=Where%20is%20New%20York%3F")
    script.write_text(block("js", "// node.js", PAGE) + READ_ALL)
    try:
        done = subprocess.run(
            [node(), str(script), address], capture_output=True, text=True, timeout=60, check=True
        )
    finally:
        script.unlink()
    heard = json.loads(done.stdout)
    assert "New York" in heard["text"]
    assert heard["opened"] == 1


READ_ALL = """
const heard = { text: "", opened: 0 };
const source = open(process.argv[2]);
source.onopen = () => (heard.opened += 1);
source.onmessage = ({ data }) => {
  if (data !== "[DONE]") return (heard.text += JSON.parse(data).response);
  source.close();
  console.log(JSON.stringify(heard));
};
"""
