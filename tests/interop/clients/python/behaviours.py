"""What each Python client is asked to do. A client's script calls `heard_by` and prints the result.

A script runs in its client's environment, so it imports nothing of the tests' packages.
"""

import json
import os
import sys
import warnings
from collections.abc import Callable
from typing import Any

MODEL = "@cf/meta/llama-3.3-70b-instruct-fp8-fast"
GEMMA = "@cf/google/gemma-4-26b-a4b-it"
BASE_URL = f"{os.environ['RUNNEL_URL']}/v1"
KEY = os.environ["RUNNEL_API_KEY"]
#: A site whose model calls `read_gauge` three times, and then says what it read.
TASK_URL = f"{os.environ['RUNNEL_TASK_URL']}/v1"
TASK_KEY = os.environ["RUNNEL_TASK_KEY"]
TASK_MODEL = "brook-1"
TASK = "How high does the river stand?"

#: By behaviour: whether the answer is streamed, what is asked, and the key to use.
BEHAVIOURS = {
    "whole": (False, "Hello", KEY),
    "streamed": (True, "Hello", KEY),
    "wrong_key": (False, "Hello", "DUMMY_KEY"),
    "rate": (False, "Hello", os.environ["RUNNEL_RATE_KEY"]),
    "quota": (False, "Hello", os.environ["RUNNEL_QUOTA_KEY"]),
    "context": (False, "/error 5021", KEY),
    "broken": (True, "/error-after 3", KEY),
    "cut": (True, "/cut 3", KEY),
}

Answer = Callable[[str, str], Any]  # of a prompt and a key


def read_gauge(query: str) -> str:
    """Read a gauge.

    Args:
        query: the place of the gauge
    """
    if query == "nowhere":
        raise ValueError("There is no such gauge.")
    return "4.2 m"


def heard(ask: Answer, stream: Answer | None, **more: Callable[[], Any]) -> dict[str, Any]:
    """Return what happened for each behaviour, and for what only this client does."""
    found = {
        name: outcome(lambda how=how, a=prompt, b=key: how(a, b))
        for name, (is_streamed, prompt, key) in BEHAVIOURS.items()
        if (how := stream if is_streamed else ask)
    }
    return found | {name: outcome(work) for name, work in more.items()}


def outcome(work: Callable[[], Any]) -> dict[str, Any]:
    """Return the result, or the error with the names of its classes."""
    try:
        return {"result": work()}
    except Exception as error:
        names = [each.__name__ for each in type(error).__mro__]
        return {"error": names[: names.index("Exception")], "message": str(error)[:300]}


def tell(ask: Answer, stream: Answer | None, **more: Callable[[], Any]) -> None:
    """Print what happened as JSON, after all that the client printed."""
    warnings.simplefilter("ignore")
    sys.stdout.write("\n" + json.dumps(heard(ask, stream, **more)) + "\n")
