"""Describe a notice for the webhook that a site's owner has set."""

from typing import Any

from chat.inbox.models import SiteNotice
from chat.inbox.notice_mail import chat_url
from chat.webhooks.signed_post import signed_post


async def send(notice: SiteNotice) -> bool:
    """Return whether the server accepted it, or the owner has removed the webhook meanwhile."""
    site = notice.site
    if not site.webhook_url:
        return True
    return await signed_post(site.webhook_url, site.webhook_secret, _content(notice))


def _content(notice: SiteNotice) -> dict[str, Any]:
    return {
        "id": str(notice.pk),  # the same for each try
        "event": str(notice.kind),
        "site": notice.site.key,
        "conversation": str(notice.conversation),
        "url": chat_url(notice),
        "created_at": notice.created_at.isoformat(),
    }
