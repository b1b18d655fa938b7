"""A website's page that runs the code of docs/front_ends.md, bundled as websites do it."""

import subprocess
import tempfile
from pathlib import Path

from tests.browser.host_site import STRICT, HostSite
from tests.support.browser.guides import block
from tests.support.servers.server import ROOT

PAGE = "front_ends.md"
#: By the name of the file in the guide: whether it asks with messages, and a line to put before it.
CLIENTS = {
    "fetch": ("fetch.js", True),
    "event-source": ("event-source.js", False),
    "event-source-polyfill": ("event-source.js", False),
    "eventsource-parser": ("eventsource-parser.js", True),
    "fetch-event-source": ("fetch-event-source.js", True),
    "openai": ("openai.js", True),
}
#: Runs one of them: the words it heard, and the error it ended with.
RUN = """
window.run = async (name, address, prompt, stopAfter = 0) => {
  const controller = new AbortController();
  const heard = (window.heard = { text: "", error: "" });
  const onText = (piece) => {
    heard.text += piece;
    if (stopAfter && heard.text.length >= stopAfter) controller.abort();
  };
  const asked = messages[name] ? [{ role: "user", content: prompt }] : prompt;
  try {
    await clients[name](address, asked, onText, controller.signal);
  } catch (error) {
    heard.error = error.message;
  }
  return heard;
};
"""


def bundled(*sources: tuple[str, str], entry: str) -> bytes:
    """What esbuild makes of `entry` and the files it imports, by name."""
    with tempfile.TemporaryDirectory(dir=ROOT / "tests" / "browser", prefix=".bundle") as name:
        folder = Path(name)
        for file, source in (*sources, ("entry.js", entry)):
            (folder / file).write_text(source)
        command = [str(ROOT / "node_modules" / ".bin" / "esbuild"), str(folder / "entry.js")]
        options = ["--bundle", "--format=esm", "--target=es2022", "--log-level=error"]
        return subprocess.run([*command, *options], check=True, capture_output=True).stdout


def client_bundle() -> bytes:
    """Every client of the guide, as `run(name, address, prompt)`."""
    sources, lines = [], []
    for number, (name, (file, _)) in enumerate(CLIENTS.items()):
        code = block("js", f"// {file}", PAGE)
        if name == "event-source-polyfill":
            code = block("js", f"// {name}.js", PAGE) + code
        sources.append((f"{name}.js", code))
        lines.append(f'import {{ ask as ask{number} }} from "./{name}.js";')
    pairs = (f'"{name}": ask{number}' for number, name in enumerate(CLIENTS))
    kinds = (f'"{name}": {str(takes).lower()}' for name, (_, takes) in CLIENTS.items())
    lines += [f"const clients = {{ {', '.join(pairs)} }};"]
    lines += [f"const messages = {{ {', '.join(kinds)} }};", RUN]
    return bundled(*sources, entry="\n".join(lines))


def carry(host: HostSite, chat: str, script: bytes, body: str = "") -> None:
    """A strict page of `host` that may connect to `chat`, and runs `script`."""
    host.body = f"<!doctype html><html lang=en><meta charset=utf-8><title>Canoes</title>{body}"
    host.body += '<script type="module" src="/bundle.js"></script>'
    host.files = {"/bundle.js": ("text/javascript", script), "/favicon.ico": ("image/x-icon", b" ")}
    rules = (
        f"script-src 'self'; connect-src {chat}; style-src 'unsafe-inline'; img-src data: 'self'"
    )
    host.headers = {"Content-Security-Policy": f"{STRICT}; {rules}"}
