"""Serve prompts as pages with plain forms, and as the list in the message box."""

import re
import uuid
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from chat.accounts.principals import principal_of
from chat.database import threads
from chat.errors import BadRequest
from chat.import_export.prompt_files import ImportedPrompts, import_prompts
from chat.lib.text import clean
from chat.personas import access
from chat.personas.models import Prompt
from chat.web.http.owned_objects import form_page, list_context, with_beginning
from chat.web.http.typed_requests import MemberRequest
from chat.web.prompts.forms import PromptFileForm, PromptForm

FORM = "prompts/form.html"
PREVIEW_LENGTH = 120
MAX_OFFERED = 1000
#: The type and properties of a variable, which may be cut off at the end of the beginning.
DEFINITION = re.compile(r"(\{\{[^{}|\n]{1,60}?)\s*\|[^{}]*(?:\}\}|$)")


@require_safe
@never_cache
@login_required
def show_all(request: MemberRequest) -> HttpResponse:
    return render(request, "prompts/list.html", list_context(Prompt, request.user, "text"))


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def new(request: MemberRequest) -> HttpResponse:
    """Show an empty form, or one filled with the `message` sent from the message box."""
    user = request.user
    if "message" in request.POST:
        text = clean(request.POST["message"].replace("\r\n", "\n"))
        return render(request, FORM, {"form": PromptForm(None, user, text=text)})
    form = PromptForm(request.POST if request.method == "POST" else None, user)
    return form_page(request, FORM, form, _("Saved."), "prompts")


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def change(request: MemberRequest, prompt_id: uuid.UUID) -> HttpResponse:
    user = request.user
    prompt = access.editable_object(Prompt, user.pk, prompt_id)
    form = PromptForm(request.POST if request.method == "POST" else None, user, prompt)
    return form_page(request, FORM, form, _("Saved."), "prompts")


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def deletion(request: MemberRequest, prompt_id: uuid.UUID) -> HttpResponse:
    prompt = access.editable_object(Prompt, request.user.pk, prompt_id)
    if request.method != "POST":
        return render(request, "prompts/deletion.html", {"prompt": prompt})
    prompt.delete()
    return redirect("prompts")


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def import_file(request: MemberRequest) -> HttpResponse:
    form = PromptFileForm(request.POST, request.FILES) if request.method == "POST" else None
    if form and form.is_valid():
        try:
            imported = import_prompts(request.user, form.cleaned_data["file"].read())
        except BadRequest as refusal:
            form.add_error("file", refusal.public)
        else:
            _tell(request, imported)
            return redirect("prompts")
    context = {"form": form or PromptFileForm()}
    return render(request, "prompts/import.html", context, status=422 if form else 200)


def _tell(request: MemberRequest, imported: ImportedPrompts) -> None:
    added = ngettext(
        "{count} prompt was imported.", "{count} prompts were imported.", imported.added
    )
    known = ngettext(
        "{count} prompt was already there.", "{count} prompts were already there.", imported.known
    )
    refused = ngettext(
        "{count} prompt was left out, because it is empty or too long.",
        "{count} prompts were left out, because they are empty or too long.",
        imported.refused,
    )
    messages.success(request, added.format(count=imported.added))
    if imported.known:
        messages.info(request, known.format(count=imported.known))
    if imported.refused:
        messages.warning(request, refused.format(count=imported.refused))


@require_safe
@never_cache
async def names(request: MemberRequest) -> JsonResponse:
    """List the prompts that the caller may use, each with a preview."""
    principal = await principal_of(request)
    return JsonResponse({"prompts": await threads.readers.run(_names, principal.user_id)})


@require_safe
@never_cache
async def text(request: MemberRequest, prompt_id: uuid.UUID) -> JsonResponse:
    principal = await principal_of(request)
    prompt = await threads.readers.run(access.prompt_of, principal.user_id, prompt_id)
    return JsonResponse({"text": prompt.text})


def _names(user_id: int) -> list[dict[str, Any]]:
    prompts = with_beginning(access.usable(Prompt, user_id), "text")[:MAX_OFFERED]
    return [
        {"id": each.pk, "name": each.name, "preview": _preview(each.beginning)} for each in prompts
    ]


def _preview(text: str) -> str:
    return " ".join(DEFINITION.sub(r"\1}}", text).split())[:PREVIEW_LENGTH]
