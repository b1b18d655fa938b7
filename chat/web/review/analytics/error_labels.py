"""Name errors in words, by the codes that are stored with answers."""

from collections.abc import Iterator

from django.utils.translation import gettext as _

from chat.errors import ChatError


def error_label(code: str) -> str:
    """Return the first sentence of what users read about this error."""
    texts = {each.code: str(each.text) for each in reversed(list(_all(ChatError)))}
    text = texts.get(code, "")
    sentence = text.partition(". ")[0].rstrip(".")
    return sentence if sentence and "{" not in sentence else _("Another error")


def _all(kind: type[ChatError]) -> Iterator[type[ChatError]]:
    """Yield the class before its subclasses, whose code may be the same."""
    yield kind
    for each in kind.__subclasses__():
        yield from _all(each)
