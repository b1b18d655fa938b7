"""A model server with OpenAI's API and one model, in a thread of the test."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

MODEL, ANSWER = "brook-1", "Good morning from the brook."


class _Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self._reply("application/json", json.dumps({"data": [{"id": MODEL}]}))

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        chunks: list[dict[str, object]] = [
            {"choices": [{"index": 0, "delta": {"content": ANSWER}}]},
            {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]},
        ]
        lines = [f"data: {json.dumps(each)}\n\n" for each in chunks]
        self._reply("text/event-stream", "".join(lines) + "data: [DONE]\n\n")

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Say nothing."""

    def _reply(self, kind: str, body: str) -> None:
        authorized = self.headers["Authorization"] == f"Bearer {TOKEN}"
        self.send_response(200 if authorized else 401)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body.encode())))
        self.end_headers()
        self.wfile.write(body.encode())


TOKEN = "brook-token"


@contextmanager
def model_server() -> Iterator[str]:
    """Serve on a free port; yield the base URL."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/v1"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
