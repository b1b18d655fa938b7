"""Let Cloudflare's browser build a web page with its scripts, and return the page's HTML.

Of its two endpoints this is the one with HTML: that is read like any other page, without its menus,
and with the anchors of headings, links and what it asks of robots, which Markdown doesn't have.

https://developers.cloudflare.com/browser-run/quick-actions/content-endpoint/
"""

import msgspec

from chat.errors import UpstreamDisconnected
from chat.upstream.client import Upstream
from chat.upstream.documents.client import JSON, DocumentRequest, fetch_document

#: So long the browser waits until a page has at most two requests; then it takes what is there.
LOADING_MILLISECONDS = 12_000
#: What no text is in.
NOT_LOADED = ("image", "media", "font", "stylesheet")
#: Of a character of the page in JSON.
MOST_ESCAPED_BYTES = 2


class _Rendered(msgspec.Struct):
    result: str
    success: bool = True


async def rendered_page(
    upstream: Upstream, address: str, user_agent: str, most_bytes: int, principal_key: str
) -> bytes:
    """Return a page as it is once its scripts have run. Raise `UpstreamError`."""
    wanted = {
        "url": address,
        "userAgent": user_agent,
        "gotoOptions": {"waitUntil": "networkidle2", "timeout": LOADING_MILLISECONDS},
        "bestAttempt": True,
        "rejectResourceTypes": NOT_LOADED,
    }
    url = upstream.endpoint.rendering_url
    request = DocumentRequest(url, msgspec.json.encode(wanted), JSON, principal_key)
    document = await fetch_document(upstream, request, most_bytes * MOST_ESCAPED_BYTES)
    try:
        rendered = msgspec.json.decode(document, type=_Rendered)
        html = rendered.result.encode() if rendered.success else b""
    except (msgspec.MsgspecError, ValueError):
        html = b""
    if not html or len(html) > most_bytes:
        raise UpstreamDisconnected(detail="no rendered page")
    return html
