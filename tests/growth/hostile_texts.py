"""Texts of any length that make careless parsers take long: each repeats something."""

from collections.abc import Callable, Iterator

from tests.support.growth import assert_screened_linear

UNITS = [
    "a", " ", "\n", "\t", "\r", "\r\n", "\0", "a ", "a\n", " a", "\u00a0", "\u2028", "0", "1,", "-", "=",
    "`", "```\n", "```a\n```\n", "~~~\n", "a:\n```file\n", "x.a:\n```a\n", "`a", "*", "**a", "_a", "[", "![", "](",
    "[a](b", "![a](image:", "<", "<a", "<!--", "</", '<details type="', '<details type="reasoning"', "</details>",
    "<think>", "</think>", "&", "&amp", "{{", "{{a|", "@a", "@a.", "tag:", "\\", '"', "'", "|", "|-", ">", "> ", "(",
    "$", "$$", "#", "\u0301", "e\u0301", "\u05b0", "東", "東 ", "か\u3099", "\u202e", "\u200b", "\ufeff", "😀", "👩\u200d",
    "\ue200", "\u30101:", "https://", "http://a.", "=\t", ";", "[^", "[^a]: ", "limit (", "title: ",
]  # fmt: skip
#: What begins something, and what ends it: each is inside the one before.
NESTED = [
    ("*", "*"), ("**a ", "a** "), ("**a _b ", "b_ a** "), ("~~a ", "~~ "), ("[", "](b)"), ("[*a", "*](b)"),
    ("![", "](b)"), ("`a ", " b`"), ("$a ", "$ "), ("(", ")"), ("> ", ""), ("- ", ""), ("1. ", ""), ("> - 1. ", ""),
    ("<b>", "</b>"), ("<details>\n", "</details>\n"), ('{"a":[', "]}"),
]  # fmt: skip
STARTS = ["", "a", "```a\n", "x.a:\n```a\n", '"', "<!-- ", "{{a"]
ENDS = ["", "!", "\n\nb"]


def texts() -> Iterator[Callable[[int], str]]:
    for unit in UNITS:
        for start, end in [("", ""), *((start, "!") for start in STARTS), ("", "\n\nb")]:
            yield lambda size, u=unit, s=start, e=end: s + u * (size // len(u)) + e  # type: ignore[misc]
    yield from map(_nested, NESTED)


def _nested(signs: tuple[str, str]) -> Callable[[int], str]:
    begin, end = signs
    length = len(begin + end)
    return lambda size: begin * (size // length) + "a" + end * (size // length)


def assert_all_linear(call: Callable[[str], object]) -> None:
    """Fail if some text makes `call` take longer than in proportion to its length."""
    for make in texts():
        assert_screened_linear(call, make, repr(make(20)))
