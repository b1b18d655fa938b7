"""Word schema errors in the API's own style."""

from typing import Any, NoReturn

from chat.emulator.common.faults import Refusal


def type_name(value: Any) -> str:
    names = {dict: "object", list: "array", str: "string", bool: "boolean", type(None): "null"}
    return names.get(type(value), "number")


def mismatch(where: str, value: Any, wanted: str) -> NoReturn:
    bad(
        "oneOf at '/' not met, 0 matches: "
        f"Type mismatch of '{where}', '{type_name(value)}' not in '{wanted}'"
    )


def bad(problem: str) -> NoReturn:
    raise Refusal("5006", problem=problem)
