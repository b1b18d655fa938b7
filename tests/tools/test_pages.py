"""Only pages that the person or a search has named are read, on the public web only."""

import pytest

from chat.accounts.principals import Principal
from chat.tools.tool import ToolContext, ToolFailed
from chat.tools.web import limits
from chat.tools.web.addresses import addresses_in
from chat.tools.web.page import FETCH_PAGE, PageArguments
from chat.tools.web.search import WEB_SEARCH, WebSearchArguments

LIGHTHOUSE = "https://lindholm.example/lighthouse"


def context(*addresses: str) -> ToolContext:
    return ToolContext(Principal("user:1", 1), addresses=set(addresses))


async def test_a_page_that_nobody_named_is_not_read() -> None:
    with pytest.raises(ToolFailed) as refused:
        await FETCH_PAGE.run(context(), PageArguments(LIGHTHOUSE))
    assert refused.value.problem == "unknown_address"


async def test_an_address_with_something_added_is_another_one() -> None:
    with pytest.raises(ToolFailed) as refused:
        await FETCH_PAGE.run(context(LIGHTHOUSE), PageArguments(f"{LIGHTHOUSE}?q=secret"))
    assert refused.value.problem == "unknown_address"


async def test_what_a_search_has_found_is_read() -> None:
    known = context()
    found = await WEB_SEARCH.run(known, WebSearchArguments("lighthouse of Lindholm"))
    assert LIGHTHOUSE in known.addresses
    assert found.passages[0].address == LIGHTHOUSE
    page = await FETCH_PAGE.run(known, PageArguments(f"{LIGHTHOUSE}#visit", "steps"))
    assert "148 steps" in page.passages[0].text


@pytest.mark.parametrize(
    "address",
    [
        "http://127.0.0.1:8000/",
        "http://localhost/",
        "http://169.254.169.254/latest/meta-data/",
        "http://[::1]/",
        "http://10.0.0.1/",
        "http://user:word@example.org/",
        "http://example.org:22/",
        "http://2130706433/",
    ],
)
async def test_private_addresses_are_not_asked(address: str) -> None:
    with pytest.raises(ToolFailed) as refused:
        await FETCH_PAGE.run(context(address), PageArguments(address))
    assert refused.value.problem == "unreachable"


def test_addresses_are_found_in_what_a_person_writes() -> None:
    text = "See (https://a.example/x), https://b.example/y. And http://c.example/z#part!"
    assert {"https://a.example/x", "https://b.example/y", "http://c.example/z"} <= addresses_in(
        [text]
    )
    assert addresses_in(["javascript:alert(1) file:///etc/passwd"]) == set()


async def test_too_many_searches_and_pages_are_told_in_words() -> None:
    known = context(LIGHTHOUSE)
    for _each in range(limits.SEARCHES_PER_MINUTE):
        limits.count(limits.searches, known.principal)
    for _each in range(limits.PAGES_PER_MINUTE):
        limits.count(limits.pages, known.principal)
    with pytest.raises(ToolFailed, match="Too many"):
        await WEB_SEARCH.run(known, WebSearchArguments("rivers"))
    with pytest.raises(ToolFailed, match="Too many"):
        await FETCH_PAGE.run(known, PageArguments(LIGHTHOUSE))
    someone_else = ToolContext(Principal("user:2", 2))
    assert (await WEB_SEARCH.run(someone_else, WebSearchArguments("lighthouse"))).count
