"""All tools of the site, its own and those of MCP servers, and which of them an answer may use."""

from collections.abc import Iterable, Mapping

import msgspec
from django.conf import settings

from chat.lib.catalogue import Model
from chat.tools.calculator import CALCULATOR
from chat.tools.current_time import CURRENT_TIME
from chat.tools.generate_image import GENERATE_IMAGE
from chat.tools.mcp import servers
from chat.tools.mcp import tools as mcp_tools
from chat.tools.remember import REMEMBER
from chat.tools.search_documents import SEARCH_DOCUMENTS
from chat.tools.search_my_chats import SEARCH_MY_CHATS
from chat.tools.tool import ChatTool
from chat.tools.web.engines import engine_name
from chat.tools.web.page import FETCH_PAGE
from chat.tools.web.search import WEB_SEARCH

BUILT_IN: Mapping[str, ChatTool] = {
    each.name: each
    for each in (
        WEB_SEARCH,
        FETCH_PAGE,
        SEARCH_MY_CHATS,
        SEARCH_DOCUMENTS,
        GENERATE_IMAGE,
        CALCULATOR,
        CURRENT_TIME,
        REMEMBER,
    )
}
#: What visitors of a website may use: nothing that has effects, or that is a member's own.
FOR_VISITORS = frozenset({WEB_SEARCH.name, FETCH_PAGE.name, CALCULATOR.name, CURRENT_TIME.name})
#: Tools that a person switches on together.
PARTNERS: Mapping[str, tuple[str, ...]] = {WEB_SEARCH.name: (FETCH_PAGE.name,)}


def offered(user_id: int, *, is_stored: bool = True) -> list[str]:
    """Return the names of what the member can switch on, in their order: tools, and servers.

    A chat that isn't stored has no use for what always asks first, or returns images.
    """
    built_in = [
        each for each in offered_built_in() if is_stored or not BUILT_IN[each].needs_stored_chat
    ]
    return built_in + [
        each.choice
        for each in servers.for_member(user_id)
        if is_stored or not all(tool.asks_first for tool in each.tools)
    ]


def offered_built_in() -> list[str]:
    """Return the names of the site's own tools that can be switched on, in their order."""
    partners = {name for names in PARTNERS.values() for name in names}
    return [name for name in BUILT_IN if name in _allowed() and name not in partners]


def usable(names: Iterable[str], model: Model, user_id: int) -> dict[str, ChatTool]:
    """Return those tools that the member may use, with their partners, if the model calls tools.

    Unknown names are left out: a chat may have been stored when the site had more.
    """
    if not model.tools:
        return {}
    wanted = set(names)
    for name, partners in PARTNERS.items():
        if name in wanted:
            wanted.update(partners)
    allowed = _allowed()
    own = {name: tool for name, tool in BUILT_IN.items() if name in wanted and name in allowed}
    return own | mcp_tools.usable(wanted, user_id)


def named(names: Iterable[str]) -> dict[str, ChatTool]:
    """Return the tools with these names, in their order. The caller has checked access."""
    wanted = list(names)
    foreign = mcp_tools.named(wanted)
    found = {name: BUILT_IN.get(name) or foreign.get(name) for name in wanted}
    return {name: tool for name, tool in found.items() if tool}


def descriptions(names: Iterable[str]) -> str:
    """Return what a request to a model says about these tools, as JSON."""
    return msgspec.json.encode([each.as_function() for each in named(names).values()]).decode()


def _allowed() -> set[str]:
    allowed = set(settings.TOOLS)
    if not engine_name():
        allowed.discard(WEB_SEARCH.name)
    if not (settings.IMAGE_MODEL and settings.MAX_MESSAGE_IMAGES):
        allowed.discard(GENERATE_IMAGE.name)
    return allowed
