"""Read sitemaps (sitemaps.org), which are hostile. Pure functions."""

from dataclasses import dataclass, field
from xml.parsers import expat

from chat.fetching.fetch import gunzip

MAX_BYTES = 10 * 1024 * 1024  # unpacked
MAX_ENTRIES = 50_000
MAX_VALUE_CHARS = 2000
GZIP = b"\x1f\x8b"


@dataclass
class Sitemap:
    """Addresses with the time of their last change, as it is written, or of other sitemaps."""

    is_index: bool = False
    entries: dict[str, str] = field(default_factory=dict)


def read(body: bytes) -> Sitemap | None:
    """Return what a sitemap lists; None if it isn't one. A text with an address a line is one."""
    if body.startswith(GZIP):
        body, _is_cut = gunzip(body, MAX_BYTES)
    start = body[:200].lstrip(b"\xef\xbb\xbf \t\r\n")
    if start.startswith((b"http://", b"https://")):
        lines = body.decode(errors="replace").split()[:MAX_ENTRIES]
        return Sitemap(entries={each[:MAX_VALUE_CHARS]: "" for each in lines})
    if not start.startswith(b"<"):
        return None
    return _Reader().read(body)


class _Reader:
    def __init__(self) -> None:
        self._found = Sitemap()
        self._root = ""
        self._texts: dict[str, str] = {}
        self._inside = ""

    def read(self, body: bytes) -> Sitemap | None:
        parser = expat.ParserCreate(namespace_separator=" ")
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._text
        parser.EntityDeclHandler = self._refuse  # no sitemap has any
        try:
            parser.Parse(body, True)
        except expat.ExpatError:
            pass  # what came before the damage counts, as after a cut
        except ValueError:
            return None
        is_sitemap = self._root in {"urlset", "sitemapindex"}
        return self._found if is_sitemap else None

    def _start(self, name: str, _attributes: dict[str, str]) -> None:
        _space, _mark, name = name.rpartition(" ")
        if not self._root:
            self._root = name
            self._found.is_index = name == "sitemapindex"
        if name in {"url", "sitemap"}:
            self._texts = {}
        self._inside = name

    def _end(self, name: str) -> None:
        self._inside = ""
        _space, _mark, name = name.rpartition(" ")
        address = self._texts.get("loc", "").strip()
        if name in {"url", "sitemap"} and address and len(self._found.entries) < MAX_ENTRIES:
            self._found.entries[address] = self._texts.get("lastmod", "").strip()

    def _text(self, text: str) -> None:
        if self._inside in {"loc", "lastmod"}:
            known = self._texts.get(self._inside, "")
            self._texts[self._inside] = (known + text)[:MAX_VALUE_CHARS]

    @staticmethod
    def _refuse(*_declaration: object) -> None:
        raise ValueError
