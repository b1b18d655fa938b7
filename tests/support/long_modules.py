"""Find test modules whose tests are all `long`, so that `make test` need not import them."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
#: Folders where every test without the mark `quick` is long.
QUICK_IF_MARKED = ("attacks", "browser")
#: `pytestmark = pytest.mark.long`, alone or in a list.
_ALL_LONG = re.compile(r"^pytestmark = (?:\[[^\[=]*?)?pytest\.mark\.long\b", re.MULTILINE)


def has_only_long_tests(module: Path) -> bool:
    text = module.read_text()
    is_quick_if_marked = module.relative_to(ROOT).parts[0] in QUICK_IF_MARKED
    return bool(_ALL_LONG.search(text)) or (is_quick_if_marked and "pytest.mark.quick" not in text)


def is_left_out(module: Path, mark_expression: str) -> bool:
    """Return whether an expression of marks leaves out all tests of a file."""
    is_module = module.name.startswith("test_") and module.suffix == ".py"
    wants_no_long = mark_expression.split(" and ")[0].strip() == "not long"
    return wants_no_long and is_module and ROOT in module.parents and has_only_long_tests(module)
