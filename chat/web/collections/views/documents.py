"""Show a document of a collection, and retry, remove or download it."""

import re
import uuid
from collections.abc import Iterator
from typing import NamedTuple

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from chat.accounts.principals import principal_of
from chat.database import threads
from chat.documents.reader.page_picture import PagePassage
from chat.documents.reading import draw_page
from chat.errors import NotFound
from chat.indexing import documents
from chat.indexing.documents import FOLDER_SEPARATOR
from chat.knowledge.access import document_of, editable_collection, editable_document
from chat.knowledge.models import Document, DocumentContent
from chat.knowledge.reading import TextPart, part_around, part_from
from chat.lib.worker_thread import off_loop
from chat.web.http.files.downloads import download as sent_file
from chat.web.http.files.image_file import inert
from chat.web.http.shared_limits import arequire_rate
from chat.web.http.typed_requests import MemberRequest

FILES_PER_MINUTE = 60
PAGES_PER_MINUTE = 60
#: Each is searched for on the page. Passages have far fewer; an address may name any part.
MAX_MARKED_LINES = 200
#: Nobody else's, as another session has another cookie; a document never changes.
PICTURE_CACHE = "private, max-age=600"
#: In characters of the text.
PASSAGE = re.compile(r"([0-9]{1,9})-([0-9]{1,9})")
START = re.compile(r"[0-9]{1,9}")


@require_safe
@never_cache
@login_required
def show(request: MemberRequest, document_id: uuid.UUID) -> HttpResponse:
    """Show the text around `passage=START-END`, or the part that begins at `from=START`."""
    document = document_of(request.user.pk, document_id)
    content = DocumentContent.objects.filter(document=document)
    text = content.values_list("text", flat=True).first() or ""
    context = {
        "document": document,
        "part": _part(request, document, text),
        "place": request.GET.urlencode(),
        "has_file": content.filter(file__isnull=False).exists(),
    }
    return render(request, "collections/document.html", context)


def _part(request: MemberRequest, document: Document, text: str) -> TextPart:
    has_pages = document.pages > 0
    if passage := PASSAGE.fullmatch(request.GET.get("passage", "")):
        return part_around(text, int(passage[1]), int(passage[2]), has_pages=has_pages)
    start = START.fullmatch(request.GET.get("from", ""))
    return part_from(text, int(start[0]) if start else 0, has_pages=has_pages)


@require_safe
@login_required
async def download(request: MemberRequest, document_id: uuid.UUID) -> StreamingHttpResponse:
    """Send the file as it was added. Browsers save it and show nothing of it."""
    principal = await principal_of(request)
    document = await threads.readers.run(document_of, principal.user_id, document_id)
    await arequire_rate("document_files", principal.key, FILES_PER_MINUTE)
    content = DocumentContent.objects.filter(document=document, file__isnull=False)
    if not await threads.readers.run(content.exists):
        raise NotFound

    def pieces() -> Iterator[bytes]:
        yield bytes(content.values_list("file", flat=True).first() or b"")

    name = document.name.rpartition(FOLDER_SEPARATOR)[2]
    return sent_file(pieces(), name, principal, is_ours=False)


@require_safe
@login_required
async def page_picture(request: MemberRequest, document_id: uuid.UUID) -> HttpResponse:
    """Draw the page of a PDF that `show` shows the text of, with the passage marked."""
    principal = await principal_of(request)
    document = await threads.readers.run(document_of, principal.user_id, document_id)
    await arequire_rate("document_pages", principal.key, PAGES_PER_MINUTE)
    content = await threads.readers.run(_file_and_text, document)
    part = await off_loop(_part, request, document, content.text)
    if not part.page:
        raise NotFound
    lines = part.passage.splitlines()[:MAX_MARKED_LINES]
    wanted = PagePassage(part.page, lines, len(part.before))
    picture = await draw_page(content.file, wanted, principal.key)
    return inert(HttpResponse(picture, content_type="image/png"), PICTURE_CACHE)


class _FileAndText(NamedTuple):
    file: bytes
    text: str


def _file_and_text(document: Document) -> _FileAndText:
    content = DocumentContent.objects.filter(document=document, file__isnull=False)
    row = content.values_list("file", "text").first()
    if row is None:
        raise NotFound
    return _FileAndText(bytes(row[0] or b""), row[1])


@require_POST
@login_required
def retry(request: MemberRequest, document_id: uuid.UUID) -> HttpResponse:
    document = editable_document(request.user.pk, document_id)
    documents.retry(document)
    return redirect("collection", document.collection_id)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def deletion(request: MemberRequest, document_id: uuid.UUID) -> HttpResponse:
    """Remove a document after confirmation."""
    document = editable_document(request.user.pk, document_id)
    if request.method != "POST":
        return render(request, "collections/document_deletion.html", {"document": document})
    documents.remove(document)
    messages.success(request, _("Document removed."))
    return redirect("collection", document.collection_id)


@require_POST
@login_required
def remove_failed(request: MemberRequest, collection_id: uuid.UUID) -> HttpResponse:
    collection = editable_collection(request.user.pk, collection_id)
    count = documents.remove_failed(collection)
    words = ngettext("{count} document was removed.", "{count} documents were removed.", count)
    messages.success(request, words.format(count=count))
    return redirect("collection", collection.pk)
