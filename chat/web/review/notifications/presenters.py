"""Prepare a staff member's notices for their page."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from chat.review.staff import privacy
from chat.review.staff_notices.models import StaffNotice
from chat.review.staff_notices.wording import wordings_of


@dataclass(frozen=True, slots=True)
class NoticeOut:
    text: str
    path: str  # empty if the page doesn't exist, because nobody may read chats
    is_read: bool
    created_at: datetime


def shown_notices(notices: Sequence[StaffNotice]) -> list[NoticeOut]:
    reads = privacy.is_reading_allowed()
    return [
        NoticeOut(
            wording.text,
            wording.path if reads or not notice.is_about_chat else "",
            notice.is_read,
            notice.created_at,
        )
        for notice, wording in zip(notices, wordings_of(notices), strict=True)
    ]
