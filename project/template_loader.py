"""Load templates without their indentation, which is a fifth of the chat page."""

import re
from typing import Any

from django.template import Origin
from django.template.loaders.filesystem import Loader

INDENTATION = re.compile(r"\n\s+")
#: Lines with only a control tag. The newline before each stays, so that words stay apart.
STEERING = re.compile(
    r"^(\{% (?:if|elif|else|endif|for|empty|endfor|with|endwith|load|block|endblock|extends)\b"
    r"[^%]*%\})\n",
    re.MULTILINE,
)
#: Templates in which whitespace matters are left unchanged.
KEPT = ("<pre", "{% comment", "{% verbatim")


class UnindentedLoader(Loader):
    """Django's filesystem loader, without the indentation of HTML."""

    def get_contents(self, origin: Origin) -> str:
        contents: str = super().get_contents(origin)
        if not str(origin.name).endswith(".html") or any(each in contents for each in KEPT):
            return contents
        return unindented(contents)


def unindented(contents: str) -> str:
    return STEERING.sub(r"\1", INDENTATION.sub("\n", contents))


def template_loaders(is_debugging: bool) -> list[Any]:
    """Return the setting `loaders`. With `DEBUG`, errors name the lines of the file."""
    django = "django.template.loaders"
    own = f"{django}.filesystem.Loader" if is_debugging else f"{__name__}.UnindentedLoader"
    loaders = [own, f"{django}.app_directories.Loader"]
    keeping = (
        f"{django}.cached.Loader" if is_debugging else "project.template_folding.FoldingLoader"
    )
    return [(keeping, loaders)]
