"""Names for files that every system takes."""

import re
import unicodedata

LONGEST = 60  # characters; at most four bytes each, and many systems take 255
#: What Windows, macOS or a shell would not have in a name.
FORBIDDEN = re.compile(r'[<>:"/\\|?*%$`\']+')
RESERVED = re.compile(r"(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])", re.IGNORECASE)


def file_name(title: str, otherwise: str) -> str:
    """`title` as far as it can be a name, without an ending; `otherwise` where nothing is left."""
    seen = "".join(
        each if _is_visible(each) else " " for each in unicodedata.normalize("NFC", title)
    )
    name = " ".join(FORBIDDEN.sub(" ", seen).split())[:LONGEST].strip(" .-~")
    stem = name.partition(".")[0].strip()
    return otherwise if not name or RESERVED.fullmatch(stem) else name


def _is_visible(character: str) -> bool:
    """Not a control sign, nor one that turns the order of what follows, or stands for nothing."""
    return unicodedata.category(character)[0] != "C"
