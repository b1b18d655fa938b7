"""Describe an import: how far it is, and what it took and left out."""

from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from chat.import_export.import_report import (
    DAMAGED,
    FAILURES,
    INSTRUCTIONS,
    LOST,
    TOOLS,
    ImportReport,
)
from chat.lib.text import one_line


def summary(report: ImportReport) -> str:
    words = ngettext("{count} chat was imported.", "{count} chats were imported.", report.imported)
    return words.format(count=report.imported)


def progress(report: ImportReport) -> dict[str, Any]:
    words = ngettext(
        "{done} of {count} chat imported", "{done} of {count} chats imported", report.total
    )
    return {
        "words": words.format(done=report.imported, count=report.total),
        "done": report.imported,
        "total": report.total,
    }


def result(report: ImportReport) -> dict[str, Any]:
    """Return the lists for the page; long ones end with how many more there are."""
    chats: list[dict[str, str]] = [
        {"words": title or _("Untitled"), "url": reverse("conversation", args=[chat_id])}
        for chat_id, title in report.chats
    ]
    refused = [{"words": _refusal(title, reason)} for title, reason in report.reasons]
    return {
        "words": summary(report),
        "chats": chats + _more(report.imported - len(chats)),
        "refused": refused + _more(report.refused - len(refused)),
        "left_out": [{"words": words} for words in left_out(report)],
    }


def notices(report: ImportReport) -> list[str]:
    """Return sentences about what was left out; none if everything was imported."""
    texts = []
    if report.refused:
        words = ngettext(
            "{count} chat couldn't be imported.",
            "{count} chats couldn't be imported.",
            report.refused,
        )
        texts.append(words.format(count=report.refused))
        texts += [_refusal(title, reason) for title, reason in report.reasons[:3]]
    if kinds := left_out(report):
        texts.append(_("Left out of the imported chats: {kinds}").format(kinds=" · ".join(kinds)))
    return texts


def left_out(report: ImportReport) -> list[str]:
    """Return the files that were left out, with the reasons, and other kinds of content."""
    count = report.left_out
    words = {
        TOOLS: ngettext("{count} tool step", "{count} tool steps", count[TOOLS]),
        INSTRUCTIONS: ngettext(
            "{count} hidden instruction", "{count} hidden instructions", count[INSTRUCTIONS]
        ),
        FAILURES: ngettext("{count} failed answer", "{count} failed answers", count[FAILURES]),
        LOST: ngettext(
            "{count} message without a question",
            "{count} messages without a question",
            count[LOST],
        ),
        DAMAGED: ngettext("{count} damaged message", "{count} damaged messages", count[DAMAGED]),
    }
    others = [text.format(count=count[kind]) for kind, text in words.items() if count[kind]]
    return [_files(number, reason) for reason, number in report.files.items()] + others


def _files(count: int, reason: str) -> str:
    words = ngettext("{count} file or image", "{count} files or images", count).format(count=count)
    return f"{words}: {reason}"


def _refusal(title: str, reason: str) -> str:
    shown = one_line(title)[:60]
    return f"{shown or _('Untitled')}: {reason}"


def _more(count: int) -> list[dict[str, str]]:
    words = ngettext("{count} more", "{count} more", count).format(count=count)
    return [{"words": words}] if count else []
