"""Parse the body of `POST /chat/<id>/messages/<id>/rating`."""

from typing import Annotated, Literal

import msgspec

from chat.conversations.models import COMMENT_LENGTH
from chat.conversations.ratings import Opinion
from chat.web.http.json_body import read_small_json

Reason = Literal["", "wrong", "misunderstood", "incomplete", "too_long", "harmful", "other"]


class _Asked(msgspec.Struct):
    value: Literal[-1, 0, 1]
    reason: Reason = ""
    comment: Annotated[str, msgspec.Meta(max_length=COMMENT_LENGTH)] = ""


def read_opinion(body: bytes) -> Opinion | None:
    """Return the opinion in `body`; None withdraws the previous one."""
    asked = read_small_json(body, _Asked)
    return Opinion(asked.value, asked.reason, asked.comment) if asked.value else None
