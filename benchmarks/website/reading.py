"""Let the site read a website, and measure it."""

import json
import time
from collections.abc import Sequence

from benchmarks.website.host import Request, Website
from tests.support.servers.server import Server

LOOK_SECONDS = 2.0
MB = 1_000_000
ADD = """
from chat.accounts.models import User
from chat.widget_sites.models import AnswerMode, WidgetSite
site = WidgetSite.objects.create(
    owner=User.objects.get(), name="Bench", origins=[{origin!r}], answer_mode=AnswerMode.ONLY
)
print(site.key)
"""
START = """
from chat.website_sources import crawls, sources
from chat.website_sources.models import WebsiteSource
from chat.widget_sites.models import WidgetSite
site = WidgetSite.objects.get(key={key!r})
if source := site.sources.first():
    crawls.start(source)
else:
    address, sitemaps = {origin!r} + "/", [{origin!r} + "/sitemap.xml"]
    sources.add(WebsiteSource(site=site, address=address, sitemaps=sitemaps))
"""
STATE = """
import json
from collections import Counter
from chat.knowledge.models import Document
from chat.website_sources.models import WebsitePage
pages, documents = WebsitePage.objects.all(), Document.objects.all()
unfinished = documents.filter(state__in=("waiting", "indexing"))
print(json.dumps({
    "is_busy": pages.exclude(due_at=None).exists() or unfinished.exists(),
    "pages": Counter(pages.filter(is_sitemap=False).values_list("state", flat=True)),
    "passages": sum(documents.values_list("passage_count", flat=True)),
}))
"""


def add(server: Server, website: Website) -> str:
    """Add the website, and return its key."""
    key = server.run(ADD.format(origin=website.origin))
    website.name(key)
    return key


def measure(server: Server, website: Website, key: str, title: str) -> int:
    """Let the site read the website; return how many bytes it was sent."""
    before = len(website.requests())
    began = time.monotonic()
    server.run(START.format(key=key, origin=website.origin))
    while (state := json.loads(server.run(STATE)))["is_busy"]:
        time.sleep(LOOK_SECONDS)
    seconds = time.monotonic() - began
    requests = website.requests()[before:]
    sent = sum(each.sent_bytes for each in requests)
    counts = ", ".join(f"{count} {name}" for name, count in sorted(state["pages"].items()))
    print(f"  {title}: {seconds:.0f} s, {len(requests)} requests, {sent / MB:.2f} MB")
    print(f"    pages: {counts}; {state['passages']:,} passages")
    print(f"    most requests within a second: {_most_within_a_second(requests)}", flush=True)
    return sent


def _most_within_a_second(requests: Sequence[Request]) -> int:
    times = sorted(each.at for each in requests)
    return max(sum(at <= each < at + 1 for each in times) for at in times)
