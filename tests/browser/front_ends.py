"""Run the code of docs/front_ends.md in a website's page, bundled as websites do it."""

import subprocess
import tempfile
from pathlib import Path

from tests.browser.host_site import STRICT, HostSite
from tests.support.browser.guides import block
from tests.support.servers.server import ROOT

PAGE = "front_ends.md"
#: By file name in the guide: whether the client sends messages, and a line to put before its code.
CLIENTS = {
    "fetch": ("fetch.js", True),
    "event-source": ("event-source.js", False),
    "event-source-polyfill": ("event-source.js", False),
    "eventsource-parser": ("eventsource-parser.js", True),
    "fetch-event-source": ("fetch-event-source.js", True),
    "openai": ("openai.js", True),
}
#: Runs a client, and returns the text it received and its error.
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
    """Return the bundle that esbuild creates from `entry` and these files."""
    with tempfile.TemporaryDirectory(dir=ROOT / "tests" / "browser", prefix=".bundle") as name:
        folder = Path(name)
        for file, source in (*sources, ("entry.js", entry)):
            (folder / file).write_text(source)
        command = [str(ROOT / "node_modules" / ".bin" / "esbuild"), str(folder / "entry.js")]
        options = ["--bundle", "--format=esm", "--target=es2022", "--log-level=error"]
        return subprocess.run([*command, *options], check=True, capture_output=True).stdout


def client_bundle() -> bytes:
    """Bundle all clients of the guide into a function `run(name, address, prompt)`."""
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
    """Serve a strict page that may connect to `chat` and runs `script`."""
    host.body = f"<!doctype html><html lang=en><meta charset=utf-8><title>Canoes</title>{body}"
    host.body += '<script type="module" src="/bundle.js"></script>'
    host.files = {"/bundle.js": ("text/javascript", script), "/favicon.ico": ("image/x-icon", b" ")}
    rules = (
        f"script-src 'self'; connect-src {chat}; style-src 'unsafe-inline'; img-src data: 'self'"
    )
    host.headers = {"Content-Security-Policy": f"{STRICT}; {rules}"}
