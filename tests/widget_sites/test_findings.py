"""Problems that prevent the chat from appearing are found and explained."""

import pytest

from chat.fetching.fetch import Fetched
from chat.widget_sites.models import WidgetSite
from chat.widget_sites.site_check.findings import Finding, findings_of
from chat.widget_sites.site_check.tags import tags_of

SHOP = "https://shop.example"
SCRIPT = "https://chat.example/w.js"
KEY = "0123456789abcdef01234567"
TAG = f'<script async src="{SCRIPT}" data-site="{KEY}"></script>'


def site(*origins: str) -> WidgetSite:
    return WidgetSite(key=KEY, name="Shop", origins=list(origins or [SHOP]))


def found(
    html: str = TAG, *policies: str, url: str = f"{SHOP}/a", of: WidgetSite | None = None
) -> list[Finding]:
    headers = [("content-security-policy", each) for each in policies]
    return findings_of(of or site(), Fetched(url, 200, headers, html.encode()), SCRIPT)


def problems(*args: str, **options: object) -> list[str]:
    return [each.words for each in found(*args, **options) if each.kind == "problem"]  # type: ignore[arg-type]


def test_a_correct_page_has_no_problem() -> None:
    assert [each.kind for each in found()] == ["ok", "ok", "ok"]


@pytest.mark.parametrize(
    "html",
    [
        f"<html><head>{TAG.upper().replace(KEY.upper(), KEY).replace(SCRIPT.upper(), SCRIPT)}",
        f'<script src={SCRIPT} data-site={KEY} defer nonce="a"></script>',
        f"<script\n  src='{SCRIPT}'\n  data-site='{KEY}'\n></script>",
        f'<!-- old: <script src="/w.js" data-site="x"></script> --><p>{TAG}',
        f'<script src="//chat.example/w.js" data-site="{KEY}"></script>',
        f'<script async src="{SCRIPT}?site={KEY}"></script>',
    ],
)
def test_the_tag_is_found_however_it_is_written(html: str) -> None:
    assert problems(html) == []


@pytest.mark.parametrize(
    "html",
    ["", "<p>Hello", f"<!-- {TAG} -->", f"<!-- {TAG}", "<script src='https://other.example/a.js'>",
     f"&lt;script src={SCRIPT} data-site={KEY}&gt;"],
)  # fmt: skip
def test_a_missing_tag_is_reported(html: str) -> None:
    assert any("The tag isn't in the page" in each for each in problems(html))


@pytest.mark.parametrize(
    ("html", "words"),
    [
        (TAG.replace(KEY, "other"), "belongs to another website"),
        (TAG.replace("data-site", "data-page"), "belongs to another website"),
        (f'<script src="{SCRIPT}?site=other"></script>', "belongs to another website"),
        (TAG.replace("chat.example", "old.example"), "It must load https://chat.example/w.js"),
        (TAG.replace("https:", "http:"), "browsers block on https:// pages"),
        (TAG.replace("async", 'type="module"'), 'Remove type="module"'),
    ],
)
def test_a_wrong_tag_is_reported(html: str, words: str) -> None:
    assert [words in each for each in problems(html)] == [True]


def test_a_duplicate_tag_is_a_hint() -> None:
    assert [each.kind for each in found(TAG * 2)] == ["ok", "hint", "ok", "ok"]


@pytest.mark.parametrize(
    ("url", "origins", "words"),
    [
        (f"{SHOP}/", ["https://*.shop.example"], "https://shop.example isn't an allowed website"),
        ("https://www.shop.example/", [SHOP], "https://www.shop.example isn't an allowed website"),
        ("http://shop.example/", [SHOP], "is served over http://"),
        ("http://localhost:3000/", [SHOP], "http://localhost:3000 isn't an allowed website"),
    ],
)
def test_a_page_on_an_unlisted_origin_is_reported(url: str, origins: list[str], words: str) -> None:
    assert any(words in each for each in problems(url=url, of=site(*origins)))


def test_a_suspended_site_is_reported() -> None:
    suspended = site()
    suspended.is_suspended = True
    assert any("suspended" in each for each in problems(of=suspended))


ALLOWED = [
    "img-src 'none'",
    "script-src https://chat.example; frame-src https://chat.example",
    "script-src *; frame-src *",
    "default-src https:",
    "default-src 'self' chat.example",
    "default-src 'self' *.example",
    "script-src 'none'; script-src-elem https://chat.example/w.js; child-src chat.example/w/",
    "SCRIPT-SRC HTTPS://CHAT.EXAMPLE:443 ; frame-src https://chat.example:*",
    "script-src 'nonce-abc' 'strict-dynamic'; frame-src chat.example",
    "script-src http://chat.example; frame-src http://chat.example:80",
    "sandbox allow-scripts; script-src https://chat.example; frame-src https:",
]
REFUSED = [
    ("script-src 'self'; frame-src *", "blocks the script"),
    ("script-src 'none'; frame-src *", "blocks the script"),
    ("script-src 'unsafe-inline'; frame-src *", "blocks the script"),
    ("script-src; frame-src *", "blocks the script"),
    ("script-src https://chat.example.evil; frame-src *", "blocks the script"),
    ("script-src *.chat.example; frame-src *", "blocks the script"),
    ("script-src chat.example:8443; frame-src *", "blocks the script"),
    ("script-src chat.example/js/; frame-src *", "blocks the script"),
    ("script-src data:; frame-src *", "blocks the script"),
    ("script-src 'nonce-other' 'strict-dynamic' *; frame-src *", "blocks the script"),
    ("script-src 'none'; script-src *; frame-src *", "blocks the script"),
    ("script-src *; frame-src 'self'", "blocks the chat"),
    ("script-src *; child-src 'none'", "blocks the chat"),
    ("script-src *; default-src 'self'", "blocks the chat"),
    ("script-src *; frame-src chat.example/other/", "blocks the chat"),
    ("sandbox", "a sandbox that blocks scripts"),
]
WITH_NONCE = TAG.replace("async", 'async nonce="abc"')


@pytest.mark.parametrize("policy", ALLOWED)
def test_a_policy_that_allows_the_widget_is_no_problem(policy: str) -> None:
    assert problems(WITH_NONCE, policy) == []


@pytest.mark.parametrize(("policy", "words"), REFUSED)
def test_a_policy_that_blocks_the_widget_is_reported_wherever_it_is(
    policy: str, words: str
) -> None:
    written = f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
    for args in (
        [WITH_NONCE, policy],
        [WITH_NONCE, f"default-src *, {policy}"],
        [WITH_NONCE, "default-src *", policy],
        [written + WITH_NONCE],
    ):
        assert [words in each for each in problems(*args)] == [True], args


@pytest.mark.parametrize(
    "header", [("x-frame-options", "DENY"), ("content-security-policy", "frame-ancestors 'none'")]
)
def test_headers_that_a_proxy_adds_to_the_frame_are_reported(header: tuple[str, str]) -> None:
    for headers, is_wrong in (([header], True), ([], False)):
        frame = Fetched("https://chat.example/w/key/", 200, headers)
        kinds = [
            each.kind
            for each in findings_of(site(), Fetched(SHOP, 200, [], TAG.encode()), SCRIPT, frame)
        ]
        assert ("problem" in kinds) == is_wrong


def test_hostile_html_takes_linear_time() -> None:
    million = 1_000_000
    for html in (
        "<!--" * (million // 4),
        "<script " * (million // 8),
        "<script a='" + "<" * million,
        "<script>" * (million // 8),
        "<meta a=" + "'" * million,
    ):
        tags_of(html)  # a quadratic reader would be stopped by the clock of the tests
