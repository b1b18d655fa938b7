"""A model server with OpenAI's API and one model, in a thread of the test."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

MODEL, ANSWER = "brook-1", "Good morning from the brook."
TOKEN = "brook-token"

#: Returns what the model says to a request, as the delta of a chunk, or with an `error` that breaks
#: the answer off after its first word.
Reply = Callable[[dict[str, Any]], dict[str, Any]]


def greet(_request: dict[str, Any]) -> dict[str, Any]:
    return {"content": ANSWER}


def calling(call_id: str, tool: str, **arguments: Any) -> dict[str, Any]:
    """Return the delta of a model that calls a tool."""
    function = {"name": tool, "arguments": json.dumps(arguments)}
    return {"tool_calls": [{"index": 0, "id": call_id, "type": "function", "function": function}]}


class _Server(ThreadingHTTPServer):
    def __init__(self, reply: Reply) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.reply = reply


class _Handler(BaseHTTPRequestHandler):
    server: _Server

    def do_GET(self) -> None:
        self._send("application/json", json.dumps({"data": [{"id": MODEL}]}))

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        delta = self.server.reply(body)
        reason = "tool_calls" if "tool_calls" in delta else "stop"
        chunks: list[dict[str, object]] = [
            {"choices": [{"index": 0, "delta": delta}]},
            {"choices": [{"index": 0, "delta": {}, "finish_reason": reason}]},
        ]
        if "error" in delta:
            chunks = [{"choices": [{"index": 0, "delta": {"content": "Half"}}]}, delta]
        lines = [f"data: {json.dumps(each)}\n\n" for each in chunks]
        self._send("text/event-stream", "".join(lines) + "data: [DONE]\n\n")

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Say nothing."""

    def _send(self, kind: str, body: str) -> None:
        authorized = self.headers["Authorization"] == f"Bearer {TOKEN}"
        self.send_response(200 if authorized else 401)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body.encode())))
        self.end_headers()
        self.wfile.write(body.encode())


@contextmanager
def model_server(reply: Reply = greet) -> Iterator[str]:
    """Serve on a free port; yield the base URL."""
    server = _Server(reply)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/v1"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
