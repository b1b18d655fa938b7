"""How often a person's answers may ask the web: a search engine costs the site money."""

from chat.accounts.principals import Principal
from chat.errors import RateLimitExceeded
from chat.lib.limits import WindowCounters
from chat.tools.tool import ToolFailed

SEARCHES_PER_MINUTE = 20
PAGES_PER_MINUTE = 30

searches = WindowCounters("web_searches", SEARCHES_PER_MINUTE)
pages = WindowCounters("web_pages", PAGES_PER_MINUTE)


def count(counter: WindowCounters, principal: Principal) -> None:
    """Count a request of a member, or of all visitors of a website together.

    Raise `ToolFailed` if there were too many in this minute.
    """
    who = f"site:{principal.site}" if principal.site else principal.key
    try:
        counter.require(who)
    except RateLimitExceeded:
        raise ToolFailed("Too many this minute. Answer with what there is.", "too_many") from None
    counter.add(who)
