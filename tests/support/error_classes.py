"""Find the exception classes of the project."""

import ast
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
OUTSIDE = ("chat/emulator/", "chat/migrations/")  # the emulator's are another product's


def exception_classes() -> Iterator[tuple[str, str, type]]:
    """Return place, name and class of each exception."""
    for path in [*(ROOT / "chat").rglob("*.py"), *(ROOT / "project/asgi/guards").rglob("*.py")]:
        place = str(path.relative_to(ROOT))
        names = [n.name for n in ast.parse(path.read_text()).body if isinstance(n, ast.ClassDef)]
        if place.startswith(OUTSIDE) or not names:
            continue
        module = import_module(place.removesuffix(".py").replace("/", "."))
        found = [(name, getattr(module, name)) for name in names]
        yield from ((place, name, kind) for name, kind in found if issubclass(kind, BaseException))
