"""Templates without the indentation that only their authors read: a fifth of the chat page."""

import re
from typing import Any

from django.template import Origin
from django.template.loaders.filesystem import Loader

INDENTATION = re.compile(r"\n\s+")
#: Lines that only steer leave nothing behind; the newline before each stays, so words stay apart.
STEERING = re.compile(
    r"^(\{% (?:if|elif|else|endif|for|empty|endfor|with|endwith|load|block|endblock|extends)\b"
    r"[^%]*%\})\n",
    re.MULTILINE,
)
#: Where space is part of what is shown, and what is not HTML, is left as it is.
KEPT = ("<pre", "{% comment", "{% verbatim")


class UnindentedLoader(Loader):
    """Django's loader of templates in folders, without the indentation of HTML."""

    def get_contents(self, origin: Origin) -> str:
        contents: str = super().get_contents(origin)
        if not str(origin.name).endswith(".html") or any(each in contents for each in KEPT):
            return contents
        return unindented(contents)


def unindented(contents: str) -> str:
    return STEERING.sub(r"\1", INDENTATION.sub("\n", contents))


def template_loaders(is_debugging: bool) -> list[Any]:
    """Each template is compiled once; where one debugs, errors name the lines of the file."""
    django = "django.template.loaders"
    own = f"{django}.filesystem.Loader" if is_debugging else f"{__name__}.UnindentedLoader"
    loaders = [own, f"{django}.app_directories.Loader"]
    return [(f"{django}.cached.Loader", loaders)]
