"""Import a large package only when a test uses it.

Every test process imports all test modules, so a package that takes seconds would be imported in
each. Give type checkers the package itself:

    if TYPE_CHECKING:
        import openai
    else:
        openai = imported_later("openai")
"""

from importlib import import_module
from typing import Any


class _Later:
    def __init__(self, name: str):
        self._name = name

    def __getattr__(self, attribute: str) -> Any:
        return getattr(import_module(self._name), attribute)


def imported_later(name: str) -> Any:
    return _Later(name)
