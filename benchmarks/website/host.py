"""Serve a folder of HTML files with nginx on this machine, and count what is requested."""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from xml.sax.saxutils import escape

from tests.support.servers.nginx import BINARY
from tests.support.servers.server import free_port, wait_for

#: Pages that Sphinx makes for readers, not for a search.
LEFT_OUT = ("genindex.html", "py-modindex.html", "search.html", "_modules/", "_static/")
CONFIG = """
{user}
daemon off; pid {place}/nginx.pid; error_log {place}/nginx-errors.log;
events {{}}
http {{
    types {{ text/html html; text/xml xml; }}
    log_format requests '$msec $status $bytes_sent $request_uri';
    access_log {place}/requests.log requests;
    gzip on; gzip_types text/xml;
    {temporary}
    server {{ listen 127.0.0.1:{port}; root {root}; }}
}}
"""
TEMPORARY = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")


@dataclass(frozen=True)
class Request:
    at: float  # seconds
    status: int
    sent_bytes: int
    path: str


@dataclass(frozen=True)
class Website:
    origin: str
    root: Path
    log: Path

    def requests(self) -> list[Request]:
        rows = [each.split(maxsplit=3) for each in self.log.read_text().splitlines()]
        return [Request(float(at), int(status), int(size), path) for at, status, size, path in rows]

    def name(self, key: str) -> None:
        """Let each page name the website's key, as the chat's tag would, to show whose they are."""
        mark = f'<meta name="runnel-site" content="{key}"></head>'
        for page in self.root.rglob("*.html"):
            page.write_text(page.read_text("utf-8").replace("</head>", mark, 1), "utf-8")


@contextmanager
def served(folder: Path) -> Iterator[Website]:
    """Serve a copy of the folder until the end of the block."""
    with tempfile.TemporaryDirectory(prefix="runnel-website-") as place:
        yield from _serve(folder, Path(place))


def _serve(folder: Path, place: Path) -> Iterator[Website]:
    port = free_port()
    website = Website(f"http://127.0.0.1:{port}", place / "website", place / "requests.log")
    shutil.copytree(folder, website.root)
    _write_sitemap(website)
    temporary = " ".join(f"{kind}_temp_path {place}/{kind};" for kind in TEMPORARY)
    user = "" if os.geteuid() else "user root;"
    config = place / "nginx.conf"
    values = {"place": place, "port": port, "root": website.root}
    config.write_text(CONFIG.format(user=user, temporary=temporary, **values))
    if not BINARY:
        sys.exit("Install nginx.")
    process = subprocess.Popen([BINARY, "-p", str(place), "-c", str(config)])
    try:
        wait_for(website.origin)
        website.log.write_text("")
        yield website
    finally:
        process.terminate()
        process.wait(10)


def _write_sitemap(website: Website) -> None:
    paths = sorted(str(each.relative_to(website.root)) for each in website.root.rglob("*.html"))
    urls = [f"{website.origin}/{path}" for path in paths if not path.startswith(LEFT_OUT)]
    listed = "".join(f"<url><loc>{escape(url)}</loc></url>" for url in urls)
    (website.root / "sitemap.xml").write_text(f"<urlset>{listed}</urlset>")
