"""Render the rows of the list of conversations.

A page has fifty or more, so the parts they share are looked up once, and no template is rendered
for each row. A script adds the button that opens the menu (static/js/controllers/sidebar/
chat_menu.js). Without JavaScript, a link on the page of the chat leads to the same options.
"""

from collections.abc import Collection, Iterable
from html import escape  # Django's also calls it, but for values of all kinds
from typing import Any, Protocol
from uuid import UUID

from django import template
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from chat.conversations.models import Conversation
from chat.projects.models import ChatTag

register = template.Library()

#: A placeholder in URLs, replaced by the id of a chat. templates/chat/_chat_menu.html uses it too.
ANY_CHAT = UUID(int=0)

ROW = '<li class="entry"{pinned}><a href="{page}"{current}>{text}{label}{mark}</a></li>\n'
PINNED, CURRENT = " data-pinned", ' aria-current="page"'
TITLE = "<bdi>{}</bdi>"
TAGGED = '<span class="entry-text">{}{}</span>'
TAGS = '<span class="entry-tags" role="img" aria-label="{}">{}</span>'
TAG = '<bdi class="tag-dot-name" data-color="{}">{}</bdi>'
MORE_TAGS = '<span dir="ltr">+{}</span>'
MAX_TAGS = 2
LABEL = ' <span class="entry-label" title="{}">API</span>'
MARK = '<span class="entry-mark" data-{}><span class="visually-hidden">{}</span></span>'


class ListedChat(Protocol):
    """An entry of the list (chat/web/chat/sidebar.py)."""

    @property
    def id(self) -> UUID: ...
    @property
    def title(self) -> str: ...
    @property
    def list_state(self) -> int: ...
    @property
    def is_unread(self) -> bool: ...
    @property
    def api_key(self) -> int | None: ...
    @property
    def listed_tags(self) -> list[list[str]] | None: ...


@register.filter(is_safe=True)
def any_chat_shortened(html: str) -> str:
    """Write `ANY_CHAT` as 0, which is much shorter: the menu of a chat names it often."""
    return html.replace(str(ANY_CHAT), "0")


@register.simple_tag(takes_context=True)
def chat_rows(context: dict[str, Any], conversations: Iterable[ListedChat]) -> SafeString:
    """Return the rows; the context names the open conversation and those with a running answer."""
    current = context.get("conversation")
    rows = _Rows(context.get("running", ()), current.pk if current else None, context.get("tag"))
    return mark_safe("".join(map(rows.row, conversations)))  # noqa: S308  (titles are escaped)


class _Rows:
    """The parts that all rows of a page share."""

    def __init__(
        self, running: Collection[UUID], current: UUID | None, tag: ChatTag | None
    ) -> None:
        self._running, self._current = running, current
        self._page = reverse("conversation", args=[ANY_CHAT]).replace(str(ANY_CHAT), "{}")
        self._page += f"?tag={tag.pk}" if tag else ""  # the list stays filtered
        self._untitled = _("Untitled")
        self._tags = _("Tags: {names}")
        self._label = format_html(LABEL, _("Started by a program with one of your API keys"))
        self._marks = {
            "running": format_html(MARK, "running", _("(answer in progress)")),
            "unread": format_html(MARK, "unread", _("(new answer)")),
        }

    def row(self, conversation: ListedChat) -> str:
        is_pinned = conversation.list_state == Conversation.ListState.PINNED
        is_current = conversation.id == self._current
        return ROW.format(
            pinned=PINNED if is_pinned else "",
            page=self._page.format(conversation.id),
            current=CURRENT if is_current else "",
            text=self._text(conversation),
            label="" if conversation.api_key is None else self._label,
            mark=self._mark(conversation),
        )

    def _text(self, conversation: ListedChat) -> str:
        """Return the title, and the tags under it; their label has the names of all."""
        title = TITLE.format(escape(conversation.title or self._untitled))
        if not conversation.listed_tags:
            return title
        tags = sorted(conversation.listed_tags, key=lambda tag: ChatTag.fold(tag[0]))
        label = self._tags.format(names=", ".join(name for name, _color in tags))
        shown = [TAG.format(escape(color), escape(name)) for name, color in tags[:MAX_TAGS]]
        if len(tags) > MAX_TAGS:
            shown.append(MORE_TAGS.format(len(tags) - MAX_TAGS))
        return TAGGED.format(title, TAGS.format(escape(label), "".join(shown)))

    def _mark(self, conversation: ListedChat) -> str:
        if conversation.id in self._running:
            return self._marks["running"]
        return self._marks["unread"] if conversation.is_unread else ""
