"""A model that works on a task of several turns with the tools of a program."""

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import dropwhile
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tests.support.api.api_site import MAKE_KEY, ApiSite
from tests.support.servers.model_server import MODEL, TOKEN, calling, model_server
from tests.support.servers.server import running

CATALOGUE = f'[[models]]\nid = "{MODEL}"\ncontext_window = 200000\ntools = true\nvision = true\n'
TASK, DONE = "How high does the river stand?", "The level is 4.2 m."
BROKEN = {"message": "Out of memory.", "code": 500}
#: Returns the delta of a chunk for the step with this number.
Step = Callable[[int], dict[str, Any]]


class TaskModel:
    """Takes its steps, and then says which figure the last result has.

    Requests without tools, such as those for a title, are no part of the task.
    """

    def __init__(self, step: Step, steps: int, final_tool: str = "") -> None:
        self._step, self._steps, self._final_tool = step, steps, final_tool
        self.broken_answers = 0  # so many answers break off before one is whole
        self.calls = 0
        self.requests: list[dict[str, Any]] = []  # those of the task, in order

    def reply(self, request: dict[str, Any]) -> dict[str, Any]:
        self.calls += 1
        if self.calls <= self.broken_answers:
            return {"error": BROKEN}
        if not request.get("tools"):
            return {"content": "The river"}
        if all(each["role"] != "assistant" for each in request["messages"]):
            self.requests.clear()  # the beginning of a task
        self.requests.append(request)
        taken = len(self.requests) - 1
        return self._step(taken) if taken < self._steps else self._conclusion()

    @property
    def results(self) -> list[str]:
        """What was said to the model after its first step, by its last request."""
        messages = self.requests[-1]["messages"] if self.requests else []
        later = dropwhile(lambda each: each["role"] != "assistant", messages)
        return [str(each["content"]) for each in later if each["role"] != "assistant"]

    def _conclusion(self) -> dict[str, Any]:
        figures = re.findall(r"\d+\.\d+", "\n".join(self.results)) or ["?"]
        text = f"The level is {figures[-1]} m."
        return (
            calling("call_last", self._final_tool, answer=text)
            if self._final_tool
            else {"content": text}
        )


@dataclass(frozen=True, slots=True)
class TaskSite:
    """A site whose only model is, at any time, the last one that `works` was called with."""

    site: ApiSite
    models: list[TaskModel]

    def works(self, model: TaskModel) -> None:
        self.models.append(model)


@contextmanager
def task_site() -> Iterator[TaskSite]:
    models: list[TaskModel] = []
    with ExitStack() as stack:
        catalogue = Path(stack.enter_context(TemporaryDirectory())) / "models.toml"
        catalogue.write_text(CATALOGUE)
        url = stack.enter_context(model_server(lambda request: models[-1].reply(request)))
        provider = {"WORKERS_AI_BASE_URL": url, "CLOUDFLARE_API_TOKEN": TOKEN}
        server = stack.enter_context(running(**provider, MODELS_FILE=str(catalogue)))
        yield TaskSite(ApiSite(server, server.run(MAKE_KEY)), models)
