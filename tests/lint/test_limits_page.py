"""The page of all limits has those of the code, with their numbers."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest
from allauth.account import app_settings
from django.utils import translation
from pytest_django import Settings

import project.asgi.entry_point  # noqa: F401  (all errors are known then)
from chat.errors import ChatError
from project.config.process_limits import ACCOUNT_RATE_LIMITS
from tests.support.servers.server import ROOT

PAGE = (ROOT / "docs/all_limits.md").read_text()
SETTINGS = dict(
    re.findall(
        r"^\| `(\w+)` \| `([^`]*)` \|", (ROOT / "docs/settings.md").read_text(), re.MULTILINE
    )
)
#: A constant, as its module and name, and where the page has it.
CONSTANT = re.compile(r"`([a-z_]+(?:\.[a-z_]+)+):(\w+)`")
UNITS = {"KB": 1024, "MB": 1024**2, "GB": 1024**3}
WORDS = {"SECOND": "a second", "MINUTE": "a minute", "HOUR": "an hour"}
#: Of prices, and what they count as.
NO_LIMITS = {("chat.generations.billing.media_pricing", "CHARACTERS_PER_MINUTE"),
             ("chat.generations.billing.media_pricing", "LEAST_BYTES_PER_SECOND")}  # fmt: skip
MECHANISMS = {
    "TokenBuckets": "token bucket",
    "WindowCounters": "window",
    "FairQueues": "fair queue",
    "Deadlines": "deadline",
    "Backoff": "backoff",
    "bucket_wait": "token bucket",
    "current_window": "window",
}


def rows(heading: str) -> list[list[str]]:
    """Return the rows of all tables below a heading, without their heads."""
    section = PAGE.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    tables = re.findall(r"^\|[-|]+\|\n((?:\|.+\|\n)+)", section, re.MULTILINE)
    return [line.strip("| ").split(" | ") for table in tables for line in table.splitlines()]


NUMBERED = [
    pytest.param(row[1], name, id=f"{row[0]}, {name}")
    for heading in ("How often", "How much at the same time", "How large", "How many")
    for row in rows(heading)
    for name in re.findall(r"`([^`]+)`", row[-1])
    if name.isupper() or CONSTANT.fullmatch(f"`{name}`")
]


@cache
def modules() -> dict[str, ast.Module]:
    """Return the code by the names of its modules, without the emulator and migrations."""
    paths = [*ROOT.glob("chat/**/*.py"), *ROOT.glob("project/**/*.py")]
    found = {".".join(path.relative_to(ROOT).with_suffix("").parts): path for path in paths}
    left_out = ("chat.emulator.", "chat.migrations.", "chat.lib.limits")
    return {
        name: ast.parse(path.read_text())
        for name, path in found.items()
        if not name.startswith(left_out)
    }


def value_of(name: str) -> float:
    """Return the default of a setting, or a constant; of a package, that of the module with it."""
    if ":" not in name:
        return float(SETTINGS[name])
    place, _, constant = name.partition(":")
    found = import_module(place)
    if not hasattr(found, constant):
        (place,) = [
            each
            for each, tree in modules().items()
            if each.startswith(f"{place}.") and constant in dict(assigned(tree))
        ]
        found = import_module(place)
    return float(getattr(found, constant))


def assigned(tree: ast.Module) -> Iterator[tuple[str, ast.expr | None]]:
    for node in tree.body:
        if isinstance(node, ast.Assign):
            for target in node.targets:
                if isinstance(target, ast.Name):
                    yield target.id, node.value
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            yield node.target.id, node.value


@pytest.mark.parametrize(("text", "name"), NUMBERED)
def test_numbers_are_those_of_the_code(text: str, name: str) -> None:
    found = re.search(r"([\d,]+)(?: ([KMG]B)\b)?", text)
    assert found
    number = int(found[1].replace(",", "")) * UNITS.get(found[2], 1)
    if name == "UPSTREAM_REQUESTS_PER_MINUTE":  # the default depends on the provider
        assert number == 300
    else:
        assert number == value_of(name)
    if per := re.search(r"_PER_(SECOND|MINUTE|HOUR)$", name):
        assert text[found.end() :].startswith(f" {WORDS[per[1]]}")
    if name.endswith("_SECONDS"):
        assert "seconds" in text


def test_numbers_in_sentences_are_those_of_the_code() -> None:
    found = re.findall(
        r"([\d,]+) (?:an hour|of\s+them about one visitor|times|seconds|keys)\s+\(`([\w.]+:\w+)`\)",
        PAGE,
    )
    assert len(found) == 5
    for number, name in found:
        assert int(number.replace(",", "")) == value_of(name), name


def test_every_constant_on_the_page_exists() -> None:
    for place, name in CONSTANT.findall(PAGE):
        found = import_module(place)
        assert hasattr(found, name) or value_of(f"{place}:{name}"), name


def test_every_setting_that_limits_is_on_the_page() -> None:
    limits = {
        name
        for name in SETTINGS
        if re.search(r"^MAX_|^MIN_|_LIMIT$|_PER_(SECOND|MINUTE)$|^BODY_.*SECONDS$", name)
    } - {"MAX_TOKENS", "EMULATOR_TOKENS_PER_SECOND"}  # what is used if a request says nothing
    assert len(limits) > 25
    assert {name for name in limits if f"`{name}`" not in PAGE} == set()


def test_every_rate_is_on_the_page() -> None:
    rates = {
        (place, name)
        for place, tree in modules().items()
        for name, _ in assigned(tree)
        if re.search(r"_PER_(SECOND|MINUTE|HOUR)$", name)
    }
    listed = set(CONSTANT.findall(PAGE))
    listed |= {(place, name) for place, name in rates if place.startswith("project.config.")}
    listed |= {(place, name) for place, name in rates if place.startswith("project.asgi.guards.")}
    assert len(rates) > 20
    assert rates - NO_LIMITS - listed == set()


def calls(tree: ast.AST, *names: str) -> list[ast.Call]:
    return [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in names
    ]


def test_every_shared_limit_is_on_the_page_with_its_reason() -> None:
    """Those whose reason is a variable, in views/person.py, are counted only."""
    used, variable = set(), []
    for place, tree in modules().items():
        for call in calls(tree, "require_rate", "arequire_rate"):
            reason, _who, most = call.args[:3]
            if isinstance(reason, ast.Constant) and isinstance(most, ast.Name):
                used.add((reason.value, place, most.id))
            else:
                variable.append(place)
    listed = {
        (reason, *constant)
        for row in rows("How often")
        for reason in re.findall(r"`(\w+)`", row[3])
        for constant in CONSTANT.findall(row[4])
    }
    assert variable == ["chat.web.widget.views.person"]
    assert len(used) > 15
    assert used <= listed
    own = {"invalid_requests", "api_keys", "web_searches", "web_pages"}
    others = {reason for reason, *_ in listed - used} - own
    assert {re.sub(r"_(to|from|of)$", "", each) for each in others} == {
        "visitor_emails",
        "transcripts",
    }


def test_every_use_of_the_mechanisms_is_on_the_page() -> None:
    used: dict[str, set[tuple[str, str]]] = {}
    for place, tree in modules().items():
        for name, value in assigned(tree):
            if isinstance(value, ast.Call) and isinstance(value.func, ast.Name):
                used.setdefault(value.func.id, set()).add((place, name))
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef):
                for call in calls(node, "bucket_wait", "current_window"):
                    assert isinstance(call.func, ast.Name)
                    used.setdefault(call.func.id, set()).add((place, node.name))
    listed = {row[0]: set(CONSTANT.findall(row[1])) for row in rows("How they are counted")}
    for kind in set(MECHANISMS.values()):
        code = (used.get(name, set()) for name, of_kind in MECHANISMS.items() if of_kind == kind)
        assert set().union(*code) == listed[kind], kind


def test_no_mechanism_is_used_but_at_the_top_of_a_module() -> None:
    """So that the test above sees all of them."""
    for place, tree in modules().items():
        at_top = {id(value) for _, value in assigned(tree)}
        made = calls(tree, "TokenBuckets", "WindowCounters", "FairQueues", "Deadlines", "Backoff")
        assert {id(call) for call in made} <= at_top, place


def test_limits_on_signing_in_are_those_that_apply(settings: Settings) -> None:
    settings.ACCOUNT_RATE_LIMITS = ACCOUNT_RATE_LIMITS
    periods = {"m": "a minute", "h": "an hour", "300s": "in 5 minutes", "180s": "in 3 minutes"}
    keys = {"ip": "IP address", "user": "member", "key": "email address"}
    not_offered = {"change_phone", "verify_phone", "request_login_code"}

    def words(action: str, rate: str) -> str:
        count, period, who = rate.split("/")
        owner = "account at one IP address" if rate == "5/300s/key" else keys[who]
        return f"{count} {periods[period]} for each {owner}"

    applied = {
        action: "; ".join(words(action, each) for each in rates.split(","))
        for action, rates in app_settings.RATE_LIMITS.items()
        if action not in not_offered
    }
    assert {row[2].strip("`"): row[1] for row in rows("Signing in")} == applied


def test_initial_limits_are_those_of_the_setting() -> None:
    scopes = {
        "each member": "member", "each visitor": "visitor", "each IP address": "address",
        "visitors of a website with the same IP address": "site_address", "each website": "site",
        "visitors of all websites combined": "visitors", "everyone combined": "everyone",
    }  # fmt: skip
    measures = ("running", "requests", "dollars", "neurons")
    listed = {
        f"{scopes[row[0]]}:{measure}={amount.replace(',', '')}"
        for row in rows("What may be spent")
        for measure, amount in zip(measures, row[1:], strict=True)
        if amount != "–"
    }
    assert listed == set(SETTINGS["INITIAL_LIMITS"].split())


def errors(of: type[ChatError] = ChatError) -> Iterator[type[ChatError]]:
    for each in of.__subclasses__():
        yield each
        yield from errors(each)


def test_errors_are_those_of_the_code_with_their_messages() -> None:
    with translation.override("en"):
        texts: dict[str, set[str]] = {}
        for each in errors():
            texts.setdefault(f"{each.status} `{each.code}`", set()).add(str(each.text))
    listed = {row[0]: row[1] for row in rows("What people read")}
    for error, words in listed.items():
        assert error in texts
        for quoted in re.findall("“(.+?)”", words):
            assert quoted in texts[error] or quoted.startswith("Too many attempts from"), quoted
    of_limits = {each for each in texts if each[:3] in {"408", "413", "429", "431"}}
    assert of_limits <= listed.keys()
    used = set(re.findall(r"\b[45]\d\d `\w+`", PAGE))
    assert used == listed.keys(), "each error is explained, and no other"


def test_the_page_is_linked() -> None:
    linking = ["limits.md", "costs.md", "operations.md", "architecture.md"]
    assert [
        each for each in linking if "(all_limits.md)" not in Path(ROOT / "docs" / each).read_text()
    ] == []
