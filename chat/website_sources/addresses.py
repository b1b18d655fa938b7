"""Write addresses of pages in one way, so that each page has one. Pure functions."""

import hashlib
import re
from collections import Counter
from urllib.parse import (
    parse_qsl,
    quote,
    unquote_to_bytes,
    urlencode,
    urljoin,
    urlsplit,
    urlunsplit,
)

from chat.knowledge.models import ADDRESS_LENGTH
from chat.widget_sites.origins import origin_of

#: What tells where a visitor comes from, or who it is, and not which page it is.
TRACKING = frozenset(
    {
        "_ga", "_gl", "dclid", "fbclid", "gclid", "gclsrc", "igshid", "mc_cid", "mc_eid",
        "mkt_tok", "msclkid", "sc_campaign", "srsltid", "twclid", "wbraid", "yclid",
        "cftoken", "cfid", "jsessionid", "phpsessid", "session_id", "sessionid", "sid",
    }
)  # fmt: skip
TRACKING_STARTS = ("utm_", "hsa_", "pk_", "mtm_", "aspsessionid")
#: Endings of files that aren't web pages. A link to one isn't followed.
FILES = frozenset(
    {
        "7z", "avi", "bmp", "bz2", "css", "csv", "dmg", "doc", "docx", "eot", "epub", "exe", "gif",
        "gz", "ico", "iso", "jar", "jpeg", "jpg", "js", "json", "m4a", "mov", "mp3", "mp4", "mpg",
        "odt", "ogg", "pdf", "png", "ppt", "pptx", "rar", "rss", "svg", "tar", "tgz", "tif", "ttf",
        "txt", "wav", "webm", "webp", "whl", "woff", "woff2", "xls", "xlsx", "xml", "zip",
    }
)  # fmt: skip
MAX_PARAMETERS = 4
#: A host's name has at most 253 (RFC 1035).
MAX_ORIGIN_CHARS = 270
#: A path that repeats a part so often comes from a relative link that leads to itself.
MAX_SAME_PARTS = 3
MAX_PARTS = 20
_SESSION = re.compile(r";(?:jsessionid|phpsessid|sid)=[^/?]*", re.IGNORECASE)
_DIGITS = re.compile(r"\d+")
_SLASH = re.compile("%2f", re.IGNORECASE)
_SLASHES = re.compile(r"/{2,}")
_SAFE = "/:@!$&'()*+,;=-._~"


def normalised(address: str, base: str = "") -> str:
    """Return an address of http or https without what doesn't belong to it; empty for others."""
    try:
        parts = urlsplit(urljoin(base, address.strip()) if base else address.strip())
    except ValueError:
        return ""
    if parts.username is not None or not (origin := origin_of(urlunsplit(parts))):
        return ""
    if len(origin) > MAX_ORIGIN_CHARS:
        return ""
    quoted = (quote(unquote_to_bytes(each), safe=_SAFE) for each in _SLASH.split(parts.path))
    path = _SLASHES.sub("/", _SESSION.sub("", "%2F".join(quoted))) or "/"
    scheme, _mark, host = origin.partition("://")
    found = urlunsplit((scheme, host, _without_dots(path), _query(parts.query), ""))
    return found if len(found) <= ADDRESS_LENGTH else ""


def digest_of(address: str) -> str:
    return hashlib.sha256(address.encode()).hexdigest()


def bare(address: str) -> str:
    """Return what spellings of an address have in common that mostly lead to the same page."""
    parts = urlsplit(address)
    host = parts.netloc.removeprefix("www.")
    return urlunsplit(("", host, parts.path.rstrip("/"), parts.query, ""))


def pattern_of(address: str) -> str:
    """Return what the pages of a calendar or a filter have in common: digits and values differ."""
    parts = urlsplit(address)
    names = sorted(name for name, _value in parse_qsl(parts.query, keep_blank_values=True))
    return digest_of(f"{_DIGITS.sub('0', parts.path)}?{'&'.join(names)}")


def is_likely_page(address: str) -> bool:
    """Return whether a link is worth following."""
    parts = urlsplit(address)
    names = parts.path.split("/")
    ending = names[-1].rpartition(".")[2].lower() if "." in names[-1] else ""
    most = max(Counter(filter(None, names)).values(), default=0)
    has_few = len(names) <= MAX_PARTS and parts.query.count("&") < MAX_PARAMETERS
    return ending not in FILES and most < MAX_SAME_PARTS and has_few


def _query(query: str) -> str:
    kept = [
        (name, value)
        for name, value in parse_qsl(query, keep_blank_values=True)
        if name.lower() not in TRACKING and not name.lower().startswith(TRACKING_STARTS)
    ]
    return urlencode(sorted(kept))


def _without_dots(path: str) -> str:
    kept: list[str] = []
    names = path.split("/")[1:]
    for name in names:
        if name == "..":
            kept[-1:] = []
        elif name != ".":
            kept.append(name)
    end = "/" if names[-1] in {".", ".."} and kept else ""
    return "/" + "/".join(kept) + end
