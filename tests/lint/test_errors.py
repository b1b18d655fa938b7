"""All errors form one tree, and docs/design/errors.md lists it."""

import re
from pathlib import Path

from chat.errors import ChatError
from tests.support.error_classes import exception_classes

ROOT = Path(__file__).resolve().parents[2]
LINE = re.compile(r"^(?P<indent> *)- `(?P<name>\w+)` (?P<status>\d+) `(?P<code>\w+)`: \w")
#: Exceptions that users never see: they are caught, or they are bugs.
INTERNAL = {
    "chat/accounts/mail.py:OutcomeUnknown",
    "chat/database/housekeeping.py:TooManyFailures",
    "chat/accounts/single_sign_on/errors.py:FutureTokenError",
    "chat/accounts/single_sign_on/errors.py:InvalidAnswerError",
    "chat/backup/errors.py:BackupError",
    "chat/backup/errors.py:UnfinishedRestore",
    "chat/data_requests/signed_archive.py:InvalidArchive",
    "chat/database/encrypted_text.py:Unreadable",
    "chat/database_copy/errors.py:CopyRefused",
    "chat/evaluation/jsonl.py:_WrongLine",
    "chat/generations/delivery/encoders/plain_text.py:AnswerIncomplete",
    "chat/inbox/mail_replies.py:MailDropped",
    "chat/inbox/reply_addresses.py:NoSuchAddress",
    "chat/import_export/foreign/json_elements.py:TooManyBrackets",
    "chat/import_export/foreign/message_tree.py:NotImportable",
    "chat/import_export/foreign/recognition.py:NotAnExport",
    "chat/import_export/imported_files.py:_LeftOut",
    "chat/lib/sse.py:EventTooLong",
    "chat/lib/zip_files.py:ZipTooLarge",
    "chat/outbox/errors.py:DeliveryFailed",
    "chat/outbox/errors.py:DeliveryRefused",
    "chat/outbox/errors.py:DeliveryUncertain",
    "chat/accounts/memories.py:MemoryFull",
    "chat/accounts/memories.py:MemoryOff",
    "chat/review/audit_export/errors.py:TargetUnavailable",
    "chat/review/append_only.py:AppendOnlyViolation",
    "chat/tools/mcp/errors.py:McpError",
    "chat/tools/tool.py:ToolFailed",
    "chat/upstream/chunks.py:NotJson",
    "chat/upstream/sockets/connection_pool.py:AddressRefused",
    "chat/web/http/files/downloads.py:DownloadBroken",
    "chat/website_sources/rendering.py:BrowserBusy",
    "chat/website_sources/requests.py:NoRobots",
    "chat/website_sources/turns.py:HostBusy",
    "project/asgi/guards/body_guard.py:BodyRefused",
    "project/asgi/guards/body_guard.py:BodyTooLong",
    "project/asgi/guards/stall_limit.py:Stalled",
}


def drawn() -> set[tuple[str, str, int, str]]:
    """Return name, parent, status and code of each line in the docs."""
    parents, found = {-1: "ChatError"}, set()
    for line in (ROOT / "docs/design/errors.md").read_text().splitlines():
        if match := LINE.match(line):
            depth = len(match["indent"]) // 2
            parents[depth] = match["name"]
            parent = parents[depth - 1]
            found.add((match["name"], parent, int(match["status"]), match["code"]))
    return found


def test_the_documented_tree_matches_the_code() -> None:
    made = {
        (kind.__name__, base.__name__, kind.status, kind.code)
        for _place, _name, kind in exception_classes()
        if issubclass(kind, ChatError) and kind is not ChatError
        for base in kind.__bases__
        if issubclass(base, ChatError)
    }
    assert len(made) > 60
    assert drawn() == made


def test_exceptions_outside_the_tree_are_listed() -> None:
    found = {
        f"{place}:{name}"
        for place, name, kind in exception_classes()
        if not issubclass(kind, ChatError)
    }
    assert found == INTERNAL
