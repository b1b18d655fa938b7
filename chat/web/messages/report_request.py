"""Parse the body of `POST /chat/<id>/report` and `/chat/<id>/messages/<id>/report`."""

from typing import Literal

import msgspec
from django.utils.formats import number_format
from django.utils.translation import gettext as _

from chat.errors import BadRequest
from chat.review.case_models import WORDS_LENGTH
from chat.web.http.json_body import read_small_json


class Report(msgspec.Struct):
    reason: Literal["harmful", "hateful", "personal", "wrong", "other"]
    comment: str = ""


def read_report(body: bytes) -> Report:
    report = read_small_json(body, Report)
    report.comment = report.comment.strip()
    if len(report.comment) > WORDS_LENGTH:
        words = _("This has {length} characters. The limit is {most}. Shorten it.")
        length, most = (
            number_format(each, force_grouping=True) for each in (len(report.comment), WORDS_LENGTH)
        )
        raise BadRequest(words.format(length=length, most=most))
    return report
