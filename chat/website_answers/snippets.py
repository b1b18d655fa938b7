"""Keep the answers that a website's team wrote, each as a document that is searched.

Those for visitors are in the website's own collection. Those for the team only are in another one,
which nothing that answers visitors searches. The caller has checked access to the website.
"""

from dataclasses import dataclass
from datetime import date
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from chat.accounts.models import User
from chat.database.housekeeping import isolated
from chat.errors import NotFound
from chat.indexing import documents
from chat.knowledge.access import own_collection, own_documents
from chat.knowledge.models import Document
from chat.website_answers import contradictions
from chat.website_answers.errors import AlreadyAnswered, TooManyAnswers
from chat.website_answers.models import AnswerSnippet
from chat.widget_sites.models import WidgetSite

#: Of a website. Its pages need most of the room in its collection.
MAX_SNIPPETS = 500
#: In the name of a document, a slash would begin a folder.
_AS_IN_NAMES = str.maketrans({"/": "\u2215", "\\": "\u2216"})
EXPIRED_AT_ONCE = 50


@dataclass(frozen=True, slots=True)
class SnippetText:
    """What a person wrote."""

    question: str
    answer: str
    valid_until: date | None = None
    is_for_team: bool = False


def snippets_of(site: WidgetSite) -> list[AnswerSnippet]:
    """Return a website's answers, the newest first, with the state of their documents."""
    return list(site.snippets.select_related("document").order_by("-updated_at"))


def snippet_of(site: WidgetSite, snippet_id: UUID) -> AnswerSnippet:
    """Return an answer of this website. Raise `NotFound`."""
    found = site.snippets.select_related("document").filter(pk=snippet_id).first()
    if found is None:
        raise NotFound
    return found


@transaction.atomic
def write(
    site: WidgetSite, author: User, written: SnippetText, known: AnswerSnippet | None = None
) -> AnswerSnippet:
    """Store a new answer, or the new text of a known one. It is found within seconds.

    Raise `AlreadyAnswered` or `TooManyAnswers`, or the errors of `documents.add`.
    """
    WidgetSite.objects.select_for_update(no_key=True).get(pk=site.pk)
    others = site.snippets.exclude(pk=known.pk) if known else site.snippets.all()
    if others.filter(question=written.question).exists():
        raise AlreadyAnswered
    if not known and others.count() >= MAX_SNIPPETS:
        raise TooManyAnswers
    # Somebody else may have changed it since the caller read it.
    snippet = snippet_of(site, known.pk) if known else AnswerSnippet(site=site)
    is_known = _says_already(snippet, written)
    is_moved = snippet.is_for_team != written.is_for_team
    snippet.question, snippet.answer = written.question, written.answer
    snippet.valid_until, snippet.is_for_team = written.valid_until, written.is_for_team
    snippet.written_by, snippet.updated_at = author, timezone.now()
    # In the same place, the old version is replaced once the new one can be found.
    if is_moved or snippet.is_expired:
        _remove_documents(snippet)
    if snippet.is_expired:
        snippet.document = None
    elif is_moved or not is_known:
        snippet.document = _document(snippet)
    if not is_known:
        snippet.contradictions = []
    snippet.save()
    if not is_known:  # whoever dismissed what contradicts it isn't told again
        contradictions.check_in_background(snippet)
    return snippet


@transaction.atomic
def remove(snippet: AnswerSnippet) -> None:
    """Delete an answer with its document."""
    WidgetSite.objects.select_for_update(no_key=True).get(pk=snippet.site_id)
    _remove_documents(snippet)
    snippet.delete()


def remove_expired() -> None:
    """Delete the documents of answers that are no longer valid. Run every minute."""
    over = AnswerSnippet.objects.filter(
        document__isnull=False, valid_until__lt=timezone.localdate()
    )
    for snippet in over[:EXPIRED_AT_ONCE]:
        with isolated("snippet", snippet.pk):
            _expire(snippet.pk)


@transaction.atomic
def _expire(snippet_id: UUID) -> None:
    site = WidgetSite.objects.select_for_update(no_key=True).get(snippets=snippet_id)
    snippet = snippet_of(site, snippet_id)
    if snippet.is_expired:  # nobody has extended it meanwhile
        _remove_documents(snippet)


def _says_already(snippet: AnswerSnippet, written: SnippetText) -> bool:
    """Return whether the document of an answer has this text, and isn't one that failed."""
    document = snippet.document
    if document is None or document.state == Document.State.FAILED:
        return False
    return (snippet.question, snippet.answer) == (written.question, written.answer)


def _remove_documents(snippet: AnswerSnippet) -> None:
    """Remove all versions: there are two while the newer one can't be found yet."""
    for each in own_documents(snippet.site_id).filter(address=snippet.document_address):
        documents.remove(each)


def _document(snippet: AnswerSnippet) -> Document:
    site = snippet.site
    collection = own_collection(site, is_for_team=snippet.is_for_team)
    name = snippet.question.translate(_AS_IN_NAMES)
    text = f"{snippet.question}\n\n{snippet.answer}\n"
    return documents.add(collection, site.owner, name, text.encode(), snippet.document_address)
