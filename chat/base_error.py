"""The base of all errors, and who reads them.

Imports no other module of the project. One error is told to several kinds of readers: a sentence
that helps a member may name what a visitor of a website can't do, or what a program doesn't have.
"""

from collections.abc import Mapping
from enum import Enum
from typing import Any, ClassVar, Self

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

Words = str | Promise

DRAFT = _("Your draft is saved.")


class ErrorReader(Enum):
    """Who is told of an error."""

    MEMBER = "member"
    VISITOR = "visitor"  # in the frame on a website
    FRONT_END = "front_end"  # a page of the website's own, which shows errors to its visitors
    PROGRAM = "program"

    @property
    def has_draft(self) -> bool:
        """Return whether they write in a page of ours, which keeps what they write."""
        return self in {ErrorReader.MEMBER, ErrorReader.VISITOR}


class ChatError(Exception):
    """Base of the tree: `code` for programs, `status` for HTTP, `text` for people.

    `others` has what other readers than members are told instead of `text`, where that would not
    be true for them, or not help. Front ends show what visitors are told. A class that has a `text`
    of its own inherits neither `others` nor `keeps_draft`.
    """

    code: ClassVar[str] = "error"
    status: ClassVar[int] = 500
    retryable: ClassVar[bool] = False
    text: ClassVar[Words] = _("Something went wrong on our side.")
    others: ClassVar[Mapping[ErrorReader, Words]] = {}
    #: Whether people are told that what they wrote is still there: it wasn't sent.
    keeps_draft: bool = True

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if "text" in vars(cls):
            cls.others = vars(cls).get("others", {})
            cls.keeps_draft = vars(cls).get("keeps_draft", False)

    def __init__(
        self,
        public: Words = "",
        *,
        others: Mapping[ErrorReader, Words] | None = None,
        detail: str = "",
        retry_after_seconds: float | None = None,
    ) -> None:
        """Set `public` in place of the class's `text`, and `others` in place of its own."""
        self._texts = {ErrorReader.MEMBER: public or self.text} | dict(
            others or ({} if public else self.others)
        )
        self.detail = detail
        self.retry_after_seconds = retry_after_seconds
        self.headers: dict[str, str] = {}  # additional headers of the HTTP response
        self.param: str | None = None  # the field of the request that is wrong, for the API
        super().__init__(f"{self.code}: {detail}" if detail else self.code)

    def at(self, param: str) -> Self:
        """Name the field of the request that is wrong, and return the error."""
        self.param = param
        return self

    def words_for(self, reader: ErrorReader) -> str:
        """Return what `reader` is told, in the current language, without a word of drafts.

        This is for what has been sent, such as the question of an answer that failed.
        """
        key = ErrorReader.VISITOR if reader is ErrorReader.FRONT_END else reader
        return str(self._texts.get(key, self._texts[ErrorReader.MEMBER]))

    def told_to(self, reader: ErrorReader) -> str:
        """Return what `reader` is told of a request that was refused."""
        words = self.words_for(reader)
        return f"{words} {DRAFT}" if self.keeps_draft and reader.has_draft else words

    @property
    def public(self) -> str:
        """What members are told."""
        return self.told_to(ErrorReader.MEMBER)

    def as_dict(self, reader: ErrorReader = ErrorReader.MEMBER) -> dict[str, object]:
        """Return the error as clients see it, in JSON responses and inside streams."""
        message = self.told_to(reader)
        return {"code": self.code, "message": message, "retryable": self.retryable}
