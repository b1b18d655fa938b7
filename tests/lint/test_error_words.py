"""No error tells its reader to do what they can't, or of what they don't have."""

import re

import pytest

from chat.errors import ChatError, ErrorReader
from chat.generations.task.errors import TEXTS, for_empty_answer
from chat.upstream.errors import PUBLIC_BY_CODE, ReportedError, error_for
from tests.support.error_classes import exception_classes

#: Where errors are raised that only members and staff meet.
OF_MEMBERS = (
    "chat/accounts/",
    "chat/evaluation/",
    "chat/indexing/",
    "chat/review/access_log/",
    "chat/review/members/",
    "chat/web/review/",
)
#: Of programs with a key, whose user has settings.
OF_KEYS = ("chat/api_keys/", "chat/review/service_keys/", "chat/web/api/")
#: Raised on pages of members.
PAGES = {"StaffOnly", "ProjectArchived", "NotInTeam"}
#: What visitors of a website don't have, or can't do.
NOT_FOR_VISITORS = re.compile(
    r"(another|other|choose|this|no longer offers this) model|choose (one|another)|administrator"
    r"|sign in|signed out|settings|API key|persona|project|collection|shared with you|database",
    re.IGNORECASE,
)
#: What programs don't have.
NOT_FOR_PROGRAMS = re.compile(r"draft|partial answer|cookies|reload|signed out", re.IGNORECASE)


def catalogue() -> list[tuple[str, str, ChatError]]:
    """Return place, name and an instance of each error, also those whose words have variants."""
    found: list[tuple[str, str, ChatError]] = []
    for place, name, kind in exception_classes():
        if issubclass(kind, ChatError) and "text" in vars(kind):
            error = kind.__new__(kind)
            ChatError.__init__(error)
            found.append((place, name, error))
    found += [("", kind.__name__, for_empty_answer(kind())) for kind in TEXTS]
    found += [("", code, error_for(ReportedError(code, ""))) for code in PUBLIC_BY_CODE]
    return found


@pytest.fixture(scope="module", autouse=True)
def every_error() -> list[tuple[str, str, ChatError]]:
    errors = catalogue()
    assert len(errors) > 90
    return errors


@pytest.mark.parametrize("reader", [ErrorReader.VISITOR, ErrorReader.FRONT_END])
def test_visitors_are_told_what_they_can_do(
    reader: ErrorReader, every_error: list[tuple[str, str, ChatError]]
) -> None:
    wrong = [
        (name, error.told_to(reader))
        for place, name, error in every_error
        if not place.startswith(OF_MEMBERS + OF_KEYS)
        and name not in PAGES
        and NOT_FOR_VISITORS.search(error.told_to(reader))
    ]
    assert wrong == []


def test_programs_are_told_nothing_of_pages(
    every_error: list[tuple[str, str, ChatError]],
) -> None:
    wrong = [
        (name, error.told_to(ErrorReader.PROGRAM))
        for _place, name, error in every_error
        if NOT_FOR_PROGRAMS.search(error.told_to(ErrorReader.PROGRAM))
    ]
    assert wrong == []


def test_only_readers_in_our_pages_are_told_of_drafts(
    every_error: list[tuple[str, str, ChatError]],
) -> None:
    told = {
        reader: [name for _place, name, error in every_error if "draft" in error.told_to(reader)]
        for reader in ErrorReader
    }
    assert "QuotaExceeded" in told[ErrorReader.MEMBER]
    assert told[ErrorReader.VISITOR] == told[ErrorReader.MEMBER]
    assert told[ErrorReader.FRONT_END] == told[ErrorReader.PROGRAM] == []
    assert not any("draft" in error.words_for(ErrorReader.MEMBER) for *_place, error in every_error)


def test_a_text_of_one_s_own_inherits_no_other_words() -> None:
    class Parent(ChatError):
        text = "Choose another model."
        others = {ErrorReader.VISITOR: "Try again."}
        keeps_draft = True

    class Child(Parent):
        text = "The image is too large."

    class Same(Parent):
        code = "same"

    assert Child().told_to(ErrorReader.VISITOR) == "The image is too large."
    assert Same().told_to(ErrorReader.VISITOR) == "Try again. Your draft is saved."
    assert Same("Only this.").told_to(ErrorReader.FRONT_END) == "Only this."
