"""Report to a website's owner what works and what blocks the chat on a page."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal
from urllib.parse import parse_qs, urljoin, urlsplit

from django.utils.translation import gettext as _

from chat.fetching.fetch import Fetched
from chat.lib.network_addresses import LOCAL
from chat.widget_sites.models import WidgetSite
from chat.widget_sites.origins import matches, origin_of
from chat.widget_sites.site_check import policies
from chat.widget_sites.site_check.policies import FRAME, SCRIPT, Load, Policy
from chat.widget_sites.site_check.tags import Tag, tags_of

Kind = Literal["ok", "problem", "hint"]
META_POLICY = "content-security-policy"


@dataclass(frozen=True, slots=True)
class Finding:
    kind: Kind
    words: str


def findings_of(
    site: WidgetSite, page: Fetched, script_url: str, frame: Fetched | None = None
) -> list[Finding]:
    """Return all findings; the chat works if none of them is a problem.

    `frame` is our own response for the chat, if known.
    """
    tags = tags_of(page.text)
    written = [
        each.attributes.get("content", "")
        for each in tags
        if each.name == "meta" and each.attributes.get("http-equiv", "").lower() == META_POLICY
    ]
    held = policies.parse([*page.values(META_POLICY), *written])
    findings = [*_of_site(site), *_of_origin(site, page.url)]
    ours = [each for each in tags if _is_loader(each, page.url, script_url)]
    findings += _of_tags(site, ours, page.url, script_url)
    if ours or held:
        findings += _of_policies(site, held, ours, page.url, script_url)
    return [*findings, *_of_frame(frame)]


def _of_site(site: WidgetSite) -> Iterator[Finding]:
    if site.is_suspended:
        yield Finding("problem", _("This website is suspended. Its chat isn't shown."))


def _of_origin(site: WidgetSite, url: str) -> Iterator[Finding]:
    origin = origin_of(url)
    if matches(origin, site.origins):
        yield Finding("ok", _("{origin} is allowed to show the chat.").format(origin=origin))
    elif urlsplit(url).scheme == "http" and urlsplit(url).hostname not in LOCAL:
        words = _("The page is served over http://, which isn't secure. The chat needs https://.")
        yield Finding("problem", words)
    else:
        words = _("{origin} isn't an allowed website. Add it in the settings.")
        yield Finding("problem", words.format(origin=origin))


def _is_loader(tag: Tag, page_url: str, script_url: str) -> bool:
    """Return True for a script at our URL, or one that resembles our tag."""
    if tag.name != "script" or "src" not in tag.attributes:
        return False
    is_alike = tag.attributes["src"].split("?")[0].endswith("/w.js")
    return _loaded_from(tag, page_url) == script_url or (is_alike and bool(_key(tag)))


def _key(tag: Tag) -> str:
    """Return the site's key; tags without attributes have it in their address."""
    query = parse_qs(tag.attributes["src"].partition("?")[2])
    return tag.attributes.get("data-site") or query.get("site", [""])[0]


def _loaded_from(tag: Tag, page_url: str) -> str:
    return _source(tag, page_url).partition("?")[0]


def _source(tag: Tag, page_url: str) -> str:
    try:
        return urljoin(page_url, tag.attributes["src"].strip())
    except ValueError:
        return ""


def _of_tags(
    site: WidgetSite, tags: list[Tag], page_url: str, script_url: str
) -> Iterator[Finding]:
    if not tags:
        words = _(
            "The tag isn't in the page's HTML. If a script adds it later, this check can't see it."
        )
        yield Finding("problem", words)
        return
    if len(tags) > 1:
        yield Finding(
            "hint", _("The tag is in the page more than once. Only the first one is used.")
        )
    tag, problems = tags[0], 0
    for words in _wrong_with(tag, site, page_url, script_url):
        problems += 1
        yield Finding("problem", words)
    if not problems:
        yield Finding("ok", _("The tag is in the page."))


def _wrong_with(tag: Tag, site: WidgetSite, page_url: str, script_url: str) -> Iterator[str]:
    source = _source(tag, page_url)
    if urlsplit(page_url).scheme == "https" and source.startswith("http:"):
        yield _("The tag loads the chat over http://, which browsers block on https:// pages.")
    elif _loaded_from(tag, page_url) != script_url:
        yield _("The tag loads {source}. It must load {right}.").format(
            source=source, right=script_url
        )
    if _key(tag) != site.key:
        yield _("The tag belongs to another website. Copy this website's tag again.")
    if tag.attributes.get("type", "").strip().lower() == "module":
        yield _('Remove type="module" from the tag. A module script can\'t read its own tag.')


def _of_policies(
    site: WidgetSite, held: list[Policy], tags: list[Tag], page_url: str, script_url: str
) -> Iterator[Finding]:
    nonce = tags[0].attributes.get("nonce", "") if tags else ""
    script = Load(SCRIPT, script_url, nonce)
    frame = Load(FRAME, urljoin(script_url, f"/w/{site.key}/"))
    origin, problems = origin_of(script_url), 0
    if policies.forbids_scripts(held):
        problems += 1
        yield Finding(
            "problem", _("The page's content security policy has a sandbox that blocks scripts.")
        )
    if not policies.allows(held, script, page_url):
        problems += 1
        words = _(
            "The page's content security policy blocks the script. Add {origin} to "
            "script-src. If it contains 'strict-dynamic', give the tag the page's nonce."
        )
        yield Finding("problem", words.format(origin=origin))
    if not policies.allows(held, frame, page_url):
        problems += 1
        words = _("The page's content security policy blocks the chat. Add {origin} to frame-src.")
        yield Finding("problem", words.format(origin=origin))
    if not problems:
        yield Finding("ok", _("The page's content security policy allows the chat."))


def _of_frame(frame: Fetched | None) -> Iterator[Finding]:
    """Yield problems that a proxy in front of this server may cause."""
    if not frame:
        return
    held = policies.parse(frame.values(META_POLICY))
    is_refused = any(policy.get("frame-ancestors") == ["'none'"] for policy in held)
    if frame.values("x-frame-options") or is_refused:
        words = _(
            "A proxy in front of this site blocks embedding (X-Frame-Options or frame-ancestors). "
            "Ask the site administrator to allow it for /w/."
        )
        yield Finding("problem", words)
