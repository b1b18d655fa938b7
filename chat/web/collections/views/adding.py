"""Add files to a collection: one in each request of a script, several in a form."""

from asgiref.sync import sync_to_async
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from chat.accounts.models import User
from chat.accounts.principals import principal_of
from chat.database import threads
from chat.documents.errors import unreadable
from chat.knowledge.access import editable_collection
from chat.knowledge.models import Collection
from chat.web.collections.added_files import REFUSALS, AddedFiles, add_file
from chat.web.collections.forms import DocumentsForm
from chat.web.http.origin import FORMS
from chat.web.http.shared_limits import arequire_rate

UPLOADS_PER_MINUTE = 600
MAX_NAMED = 20  # refused files in the messages of a page


@require_POST
async def add(request: HttpRequest) -> HttpResponse:
    """Add the body as a file with the path `name`, or the files of a form.

    They are read and indexed in the background, so the answer comes at once.
    """
    principal = await principal_of(request)
    is_form = request.content_type in FORMS
    # parses a form, which may be long
    fields = await sync_to_async(lambda: request.POST)() if is_form else request.GET
    collection = await threads.readers.run(
        editable_collection, principal.user_id, str(fields.get("collection", ""))
    )
    await arequire_rate("added_documents", principal.key, UPLOADS_PER_MINUTE)
    user = await threads.readers.run(User.objects.get, pk=principal.user_id)
    if is_form:
        return await _add_form(request, collection, user)
    content = await sync_to_async(request.read)()  # `body` has the limit of other requests
    result = await add_file(collection, user, request.GET.get("name", ""), content)
    return JsonResponse(result.as_dict(), status=201)


async def _add_form(request: HttpRequest, collection: Collection, user: User) -> HttpResponse:
    form = DocumentsForm(request.POST, request.FILES)
    if not form.is_valid():
        raise unreadable("unsupported")
    total = AddedFiles()
    for file in form.cleaned_data["file"]:
        try:
            content = await sync_to_async(file.read)()
            result = await add_file(collection, user, file.name, content)
        except REFUSALS as error:
            total.refuse(file.name, error)
        else:
            total.added += result.added
            total.refused += result.refused
    await sync_to_async(_tell)(request, total)
    return redirect("collection", collection.pk)


def _tell(request: HttpRequest, result: AddedFiles) -> None:
    count = len(result.added)
    if count:
        words = ngettext("{count} file was added.", "{count} files were added.", count)
        messages.success(request, words.format(count=count))
    for name, error in result.refused[:MAX_NAMED]:
        messages.warning(request, f"{name}: {error.public}")
    if more := len(result.refused[MAX_NAMED:]):
        words = ngettext(
            "{count} more file wasn't added.", "{count} more files weren't added.", more
        )
        messages.warning(request, words.format(count=more))
