"""Find what somebody wrote in a reply to an email, without the original and the signature.

Each rule needs a certain sign, and only the end of a text is removed, or a single quotation at its
beginning: a text that is longer than necessary harms less than words that are lost. Comments
between quotations are kept with these. If nothing else is left, the whole text is returned.
"""

import re
from collections.abc import Collection, Sequence

#: The line before a signature (RFC 3676, section 4.3).
SIGNATURE = "-- "
#: Lines of "On 28 November 2026 at 17:44, Canoes <…> wrote:".
MAX_INTRODUCTION_LINES = 3
MAX_INTRODUCTION_CHARS = 400
#: Lines of "From: … Sent: … To: … Subject: …" that are looked at.
MAX_HEADER_LINES = 8
MIN_HEADER_LINES = 3
#: As Outlook draws it, or "-----Original Message-----".
_RULE = re.compile(r"_{10,}|-{3,} ?[^-]{1,60}-{3,}")
_HEADER = re.compile(r"\*{0,2}[^\W\d][^:\n]{0,30}:\*{0,2}\s+\S")
_DATE = re.compile(r"\b(?:19|20)\d\d\b|\b\d{1,2}[./-]\d{1,2}[./-]\d{2,4}\b")
_TIME = re.compile(r"\b\d{1,2}[:.h]\d\d\b")
_ADDRESS = re.compile(r"\S@\S")


def reply_in(text: str, own: Collection[str] = ()) -> str:
    """Return what the sender wrote; `own` are addresses of ours, which the original names."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    written = _without_signature(_without_original(lines, own))
    written = _without_quotations(written)
    return _joined(written) or _joined(lines)


def _joined(lines: Sequence[str]) -> str:
    return "\n".join(each.rstrip() for each in lines).strip("\n")


def _without_original(lines: list[str], own: Collection[str]) -> list[str]:
    """Cut before the original as Outlook has it: below a rule or not, with some of its headers."""
    for place, line in enumerate(lines):
        if not _HEADER.match(line):
            continue
        before = place - 1
        while before >= 0 and not lines[before].strip():
            before -= 1
        has_rule = before >= 0 and _RULE.fullmatch(lines[before].strip("* \t")) is not None
        if _is_header_of_original(lines[place : place + MAX_HEADER_LINES], own, has_rule=has_rule):
            return lines[: before if has_rule else place]
    return lines


def _is_header_of_original(lines: Sequence[str], own: Collection[str], *, has_rule: bool) -> bool:
    head = []
    for line in lines:
        if not _HEADER.match(line):
            break
        head.append(line.lower())
    if len(head) < MIN_HEADER_LINES:
        return False
    if has_rule and any(_DATE.search(line) and _TIME.search(line) for line in head):
        return True
    return any(address.lower() in line for address in own for line in head)


def _without_quotations(lines: list[str]) -> list[str]:
    """Remove a quotation at the end, or the only one at the beginning, with its introduction."""
    lines = _trimmed(lines)
    quoted = [_is_quoted(line) for line in lines]
    start = len(lines)
    while start and (quoted[start - 1] or not lines[start - 1].strip()):
        start -= 1
    if not any(quoted):
        return lines
    if any(quoted[:start]):  # comments between quotations, or an answer below the original
        end = _end_of_first_quotation(lines, quoted)
        return lines if end is None or any(quoted[end:]) else lines[end:]
    return lines[: _start_of_introduction(lines, start)]


def _end_of_first_quotation(lines: list[str], quoted: list[bool]) -> int | None:
    """Return where a quotation ends with which the text begins; None if it begins otherwise."""
    first = quoted.index(True)
    if first and _start_of_introduction(lines, first) > 0:
        return None
    end = first
    while end < len(lines) and (quoted[end] or not lines[end].strip()):
        end += 1
    return end


def _start_of_introduction(lines: Sequence[str], end: int) -> int:
    """Return where the introduction begins that ends before `end`; `end` if there is none."""
    last = end
    while last and not lines[last - 1].strip():
        last -= 1
    if not last or not lines[last - 1].rstrip("* \t").endswith((":", "：")):
        return end
    start = last
    while start and lines[start - 1].strip() and last - start < MAX_INTRODUCTION_LINES:
        start -= 1
    for place in range(last - 1, start - 1, -1):
        words = " ".join(lines[place:last])
        if len(words) > MAX_INTRODUCTION_CHARS:
            break
        if sum(bool(sign.search(words)) for sign in (_DATE, _TIME, _ADDRESS)) > 1:
            return place
    return end


def _without_signature(lines: list[str]) -> list[str]:
    """Cut before a signature, unless something is written below the original that follows it."""
    if SIGNATURE not in lines:
        return lines
    place = lines.index(SIGNATURE)
    below = _trimmed(lines[place:])
    quoted = [_is_quoted(each) for each in below]
    is_above_all = not any(quoted) or quoted[-1]
    return lines[:place] if _trimmed(lines[:place]) and is_above_all else lines


def _is_quoted(line: str) -> bool:
    return line.lstrip().startswith(">")


def _trimmed(lines: list[str]) -> list[str]:
    """Return the lines from the first to the last one that isn't empty."""
    filled = [place for place, line in enumerate(lines) if line.strip()]
    return lines[filled[0] : filled[-1] + 1] if filled else []
