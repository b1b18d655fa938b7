"""Make file names that every operating system accepts."""

import re
import unicodedata
from pathlib import PurePath

from chat.lib.combining import limit_marks

MAX_ENDING_CHARS = 13
MAX_CHARS = 60  # characters of up to four bytes; many systems allow 255 bytes
#: Characters that Windows, macOS or a shell would not accept in a name.
FORBIDDEN = re.compile(r'[<>:"/\\|?*%$`\']+')
RESERVED = re.compile(r"(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])", re.IGNORECASE)


def file_name(title: str, otherwise: str) -> str:
    """Return a file name made from `title`, without extension; `otherwise` if nothing is left."""
    composed = unicodedata.normalize("NFC", limit_marks(title))
    seen = "".join(each if _is_visible(each) else " " for each in composed)
    name = " ".join(FORBIDDEN.sub(" ", seen).split())[:MAX_CHARS].strip(" .-~")
    stem = name.partition(".")[0].strip()
    return otherwise if not name or RESERVED.fullmatch(stem) else name


def safe_name(name: str) -> str:
    """Return a file's name for any operating system, which keeps its ending."""
    path = PurePath(name)
    ending = file_name(path.suffix[:MAX_ENDING_CHARS], "")
    stem = file_name(path.stem, "file")
    return f"{stem}.{ending.lstrip('.')}" if ending else stem


def _is_visible(character: str) -> bool:
    """Return False for control and format characters, such as those that set text direction."""
    return unicodedata.category(character)[0] != "C"
