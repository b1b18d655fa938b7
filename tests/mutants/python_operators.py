"""What is changed in Python: the operators of mutmut, Cosmic Ray and Stryker that apply here.

Each yields edits of one syntax node. A removed query condition and a removed statement are the most
telling in this code: they let through what access functions and ledgers keep apart.
"""

import ast
import re
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any

from tests.mutants.mutant import Edit

SWAPPED_COMPARISONS = {
    "<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==",
    "is": "is not", "is not": "is", "in": "not in", "not in": "in",
}  # fmt: skip
SWAPPED_ARITHMETIC = {"+": "-", "-": "+", "*": "//", "//": "*", "/": "*", "%": "//", "|": "&", "&": "|", "<<": ">>", ">>": "<<"}  # fmt: skip
SWAPPED_NAMES = {"min": "max", "max": "min", "any": "all", "all": "any"}
SWAPPED_METHODS = {"startswith": "endswith", "endswith": "startswith"}
#: From this number on, numbers are doubled instead of increased by one.
NOTICEABLE = 100
#: Calls whose keyword arguments are conditions or values of a query.
QUERIES = frozenset({"filter", "exclude", "get", "aget", "Q", "first", "update", "aupdate"})
#: Without these the code means the same, or nothing can be imported.
KEPT_DECORATORS = re.compile(
    r"(functools\.)?(lru_cache|cache|cached_property|wraps)|property|staticmethod|classmethod"
    r"|overload|override|(abc\.)?abstractmethod|(async)?contextmanager|dataclass|.*\.setter"
)


class Text:
    """The source of a file, with the positions of nodes as offsets of bytes."""

    def __init__(self, source: bytes) -> None:
        self.source = source
        self._starts = [0]
        for line in source.splitlines(keepends=True):
            self._starts.append(self._starts[-1] + len(line))

    def start(self, node: ast.expr | ast.stmt | ast.keyword) -> int:
        return self._starts[node.lineno - 1] + node.col_offset

    def end(self, node: ast.expr | ast.stmt | ast.keyword) -> int:
        return self._starts[(node.end_lineno or 0) - 1] + (node.end_col_offset or 0)

    def of(self, start: int, end: int) -> str:
        return self.source[start:end].decode()

    def replaced(self, operator: str, node: ast.expr | ast.stmt, by: str) -> Edit:
        return Edit(operator, self.start(node), self.end(node), by)


def _swapped(
    text: Text, operator: str, left: ast.expr, right: ast.expr, table: dict[str, str]
) -> Iterator[Edit]:
    """Swap the operator between two operands."""
    start, end = text.end(left), text.start(right)
    between = text.of(start, end)
    words = "|".join(sorted(map(re.escape, table), key=len, reverse=True))
    if found := re.search(rf"(?<!\w)(?:{words})(?!\w)", between):
        offset = start + len(between[: found.start()].encode())
        yield Edit(operator, offset, offset + len(found[0]), table[found[0]])


def _comparison(text: Text, node: ast.Compare) -> Iterator[Edit]:
    operands = [node.left, *node.comparators]
    for left, right in pairwise(operands):
        yield from _swapped(text, "comparison", left, right, SWAPPED_COMPARISONS)


def _boolean(text: Text, node: ast.BoolOp) -> Iterator[Edit]:
    for left, right in pairwise(node.values):
        yield from _swapped(text, "and/or", left, right, {"and": "or", "or": "and"})


def _arithmetic(text: Text, node: ast.BinOp) -> Iterator[Edit]:
    yield from _swapped(text, "arithmetic", node.left, node.right, SWAPPED_ARITHMETIC)


def _augmented(text: Text, node: ast.AugAssign) -> Iterator[Edit]:
    table = {f"{old}=": f"{new}=" for old, new in SWAPPED_ARITHMETIC.items()}
    yield from _swapped(text, "arithmetic", node.target, node.value, table)


def _unary(text: Text, node: ast.UnaryOp) -> Iterator[Edit]:
    if isinstance(node.op, ast.Not | ast.USub):
        yield Edit("negation removed", text.start(node), text.start(node.operand), "")


def _condition(text: Text, node: ast.If | ast.IfExp) -> Iterator[Edit]:
    if isinstance(node.test, ast.NamedExpr):  # its name is used in the branch
        return
    for value in ("True", "False"):
        yield text.replaced("condition", node.test, value)


def _loop(text: Text, node: ast.While) -> Iterator[Edit]:
    if not isinstance(node.test, ast.NamedExpr):
        yield text.replaced("condition", node.test, "False")


def _comprehension(text: Text, node: ast.comprehension) -> Iterator[Edit]:
    for test in node.ifs:
        if not isinstance(test, ast.NamedExpr):
            yield text.replaced("condition", test, "True")


def _constant(text: Text, node: ast.Constant) -> Iterator[Edit]:
    match node.value:
        case bool():
            yield text.replaced("constant", node, str(not node.value))
        case int() | float():
            # Nobody notices one byte or second more of a large limit.
            changed = node.value + 1 if node.value < NOTICEABLE else node.value * 2
            yield text.replaced("constant", node, str(changed))
        case str():
            yield text.replaced("string", node, '""' if node.value else '"changed"')
            yield from _conditions_in_sql(text, node, node.value)
        case bytes():
            yield text.replaced("string", node, 'b""' if node.value else 'b"changed"')


def _conditions_in_sql(text: Text, node: ast.Constant, sql: str) -> Iterator[Edit]:
    """Remove conditions without a parameter, such as `AND purge_after IS NULL`."""
    for condition in re.findall(r" AND [^%()]+?(?= AND |$)", sql):
        yield text.replaced("query condition removed", node, repr(sql.replace(condition, "", 1)))


def _return(text: Text, node: ast.Return) -> Iterator[Edit]:
    if node.value and not isinstance(node.value, ast.Constant):
        yield text.replaced("return value", node.value, "None")


def _removed(text: Text, node: ast.stmt) -> Iterator[Edit]:
    yield text.replaced("statement removed", node, "pass")


def _expression(text: Text, node: ast.Expr) -> Iterator[Edit]:
    if isinstance(node.value, ast.Call | ast.Await):
        yield from _removed(text, node)


def _assignment(text: Text, node: ast.Assign) -> Iterator[Edit]:
    if isinstance(node.targets[0], ast.Attribute | ast.Subscript):
        yield from _removed(text, node)


def _jump(text: Text, node: ast.Break | ast.Continue) -> Iterator[Edit]:
    yield text.replaced("jump", node, "continue" if isinstance(node, ast.Break) else "break")


def _call(text: Text, node: ast.Call) -> Iterator[Edit]:
    function = node.func
    if isinstance(function, ast.Name) and function.id in SWAPPED_NAMES:
        yield text.replaced("function", function, SWAPPED_NAMES[function.id])
    if isinstance(function, ast.Attribute) and function.attr in SWAPPED_METHODS:
        end = text.end(function)
        yield Edit("function", end - len(function.attr), end, SWAPPED_METHODS[function.attr])
    if (
        function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
    ) in QUERIES:
        for keyword in node.keywords:
            if keyword.arg:
                yield _without(text, keyword)


def _without(text: Text, keyword: ast.keyword) -> Edit:
    """Remove an argument, with the comma behind it."""
    start, end = text.start(keyword), text.end(keyword)
    comma = re.match(rb"\s*,[ ]?", text.source[end:])
    return Edit("query condition removed", start, end + (comma.end() if comma else 0), "")


def decorators(text: Text, node: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[Edit]:
    """Remove decorators. They run at import, unlike what is inside the function."""
    for each in node.decorator_list:
        start, end = text.start(each), text.end(each)
        if not KEPT_DECORATORS.match(text.of(start, end)):
            yield Edit("decorator removed", start - 1, end, "")


OPERATORS: dict[type[ast.AST], Callable[[Text, Any], Iterator[Edit]]] = {
    ast.Compare: _comparison,
    ast.BoolOp: _boolean,
    ast.BinOp: _arithmetic,
    ast.AugAssign: _augmented,
    ast.UnaryOp: _unary,
    ast.If: _condition,
    ast.IfExp: _condition,
    ast.While: _loop,
    ast.comprehension: _comprehension,
    ast.Constant: _constant,
    ast.Return: _return,
    ast.Raise: _removed,
    ast.Delete: _removed,
    ast.Expr: _expression,
    ast.Assign: _assignment,
    ast.Break: _jump,
    ast.Continue: _jump,
    ast.Call: _call,
}
