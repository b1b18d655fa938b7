"""The tool that calculates, in which models make mistakes. Exact decimals, nothing is evaluated."""

import ast
import asyncio
import math
import operator
import re
from collections.abc import Callable, Mapping
from decimal import Decimal, DecimalException, localcontext
from typing import Annotated

from msgspec import Meta, Struct

from chat.tools.tool import ChatTool, ToolContext, ToolFailed, ToolResult

MAX_CHARS = 500
#: Digits of a number, and of a power's exponent: more would take long.
PRECISION = 50
SHOWN_DIGITS = 30
MAX_EXPONENT = 10_000
MAX_FACTORIAL = 500
#: Parentheses and signs within each other.
MAX_DEPTH = 60

_CONSTANTS = {"pi": Decimal("3.14159265358979323846264338327950288419716939937511"),
              "e": Decimal("2.71828182845904523536028747135266249775724709369996")}  # fmt: skip
_OTHER_SIGNS = str.maketrans({"×": "*", "·": "*", "÷": "/", "−": "-", "–": "-", "^": "**"})
#: A percentage, where no number follows that would make it the remainder of a division.
_PERCENT = re.compile(r"%(?=\s*(?:$|[)*/+,-]))")


class CalculatorArguments(Struct):
    expression: Annotated[
        str,
        Meta(
            description="Such as (12.5 + 3) * 2 ** 10 / 7, sqrt(2), round(7 / 3, 2)",
            max_length=MAX_CHARS,
        ),
    ]


def calculate(expression: str) -> str:
    """Return the value of an expression. Raise `ToolFailed` if it isn't one, or too large."""
    text = _PERCENT.sub("/100", expression.translate(_OTHER_SIGNS)).strip()
    try:
        tree = ast.parse(text, mode="eval")
        with localcontext(prec=PRECISION):
            value = _value(tree.body, text, MAX_DEPTH)
        with localcontext(prec=SHOWN_DIGITS):
            return _shown(+value)
    except ToolFailed:
        raise
    except ZeroDivisionError:
        raise ToolFailed("Division by zero.") from None
    except (SyntaxError, ValueError, TypeError, RecursionError, MemoryError):
        raise ToolFailed(
            "This isn't an arithmetic expression. Numbers have no thousands separators."
        ) from None
    except (DecimalException, ArithmeticError):
        raise ToolFailed("This has no value, or one that is too large.") from None


def _value(node: ast.expr, text: str, depth: int) -> Decimal:
    if not depth:
        raise ToolFailed("The expression is too deep.")
    match node:
        case ast.Constant(value=int() as number) if not isinstance(number, bool):
            return Decimal(number)
        case ast.Constant(value=float()):  # as it is written, which a float isn't
            return Decimal(ast.get_source_segment(text, node) or "")
        case ast.Name(id=name) if name in _CONSTANTS:
            return _CONSTANTS[name]
        case ast.UnaryOp(op=operation, operand=operand) if type(operation) in _UNARY:
            return _UNARY[type(operation)](_value(operand, text, depth - 1))
        case ast.BinOp(op=ast.Pow(), left=left, right=right):
            return _power(_value(left, text, depth - 1), _value(right, text, depth - 1))
        case ast.BinOp(op=operation, left=left, right=right) if type(operation) in _BINARY:
            values = (_value(each, text, depth - 1) for each in (left, right))
            return _BINARY[type(operation)](*values)
        case ast.Call(func=ast.Name(id=name), args=args, keywords=[]) if name in _FUNCTIONS:
            return _FUNCTIONS[name](*(_value(each, text, depth - 1) for each in args))
    raise ToolFailed(
        "Only numbers, + - * / // % **, parentheses, pi, e and these functions are known: "
        + ", ".join(sorted(_FUNCTIONS))
    )


def _power(base: Decimal, exponent: Decimal) -> Decimal:
    if abs(exponent) > MAX_EXPONENT:
        raise ToolFailed("The exponent is too large.")
    return base**exponent


def _factorial(value: Decimal) -> Decimal:
    if not 0 <= value <= MAX_FACTORIAL or value != int(value):  # int() of more takes minutes
        raise ToolFailed(f"factorial takes whole numbers from 0 to {MAX_FACTORIAL}.")
    return Decimal(math.factorial(int(value)))


def _rounded(value: Decimal, places: Decimal = Decimal(0)) -> Decimal:
    if abs(places) > SHOWN_DIGITS:
        raise ToolFailed(f"round takes at most {SHOWN_DIGITS} places.")
    return value.quantize(Decimal(1).scaleb(-int(places)))


def _by_float(function: Callable[[float], float]) -> Callable[[Decimal], Decimal]:
    return lambda value: Decimal(repr(function(float(value))))


def _log(value: Decimal, base: Decimal | None = None) -> Decimal:
    return value.ln() if base is None else value.ln() / base.ln()


def _shown(value: Decimal) -> str:
    if not value.is_finite():
        raise ToolFailed("This has no value.")
    if value == value.to_integral_value() and abs(value.adjusted()) < SHOWN_DIGITS:
        return str(value.quantize(Decimal(1)))
    return str(value.normalize())


_UNARY: Mapping[type[ast.unaryop], Callable[[Decimal], Decimal]] = {
    ast.UAdd: operator.pos,
    ast.USub: operator.neg,
}
_BINARY: Mapping[type[ast.operator], Callable[[Decimal, Decimal], Decimal]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
}
_FUNCTIONS: Mapping[str, Callable[..., Decimal]] = {
    "abs": abs,
    "ceil": lambda value: value.to_integral_value("ROUND_CEILING"),
    "cos": _by_float(math.cos),
    "exp": lambda value: value.exp(),
    "factorial": _factorial,
    "floor": lambda value: value.to_integral_value("ROUND_FLOOR"),
    "ln": lambda value: value.ln(),
    "log": _log,
    "log10": lambda value: value.log10(),
    "max": max,
    "min": min,
    "round": _rounded,
    "sin": _by_float(math.sin),
    "sqrt": lambda value: value.sqrt(),
    "tan": _by_float(math.tan),
}


async def _run(_context: ToolContext, arguments: CalculatorArguments) -> ToolResult:
    value = await asyncio.to_thread(calculate, arguments.expression)
    return ToolResult(f"{arguments.expression} = {value}")


CALCULATOR = ChatTool(
    "calculator",
    "Calculates an arithmetic expression exactly. Use it for any calculation with more than two "
    "digits.",
    CalculatorArguments,
    _run,
)
