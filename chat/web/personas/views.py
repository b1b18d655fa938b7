"""Serve personas as pages with plain forms: a member's own and, for staff, the site's."""

import uuid

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from chat.personas.access import editable_object
from chat.personas.models import NAME_LENGTH, Persona
from chat.web.http.owned_objects import form_page, list_context
from chat.web.http.typed_requests import MemberRequest
from chat.web.personas.forms import PersonaForm

FORM = "personas/form.html"


@require_safe
@never_cache
@login_required
def show_all(request: MemberRequest) -> HttpResponse:
    return render(
        request, "personas/list.html", list_context(Persona, request.user, "system_prompt")
    )


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def new(request: MemberRequest) -> HttpResponse:
    form = PersonaForm(request.POST if request.method == "POST" else None, request.user)
    return form_page(request, FORM, form, _("Saved."), "personas")


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def change(request: MemberRequest, persona_id: uuid.UUID) -> HttpResponse:
    """Edit a persona. Changes apply to the next answer in every chat that uses it."""
    user = request.user
    persona = editable_object(Persona, user.pk, persona_id)
    form = PersonaForm(request.POST if request.method == "POST" else None, user, persona)
    return form_page(request, FORM, form, _("Saved."), "personas")


@require_POST
@login_required
def copy(request: MemberRequest, persona_id: uuid.UUID) -> HttpResponse:
    """Copy a persona as the member's own, then open it for editing."""
    user = request.user
    persona = editable_object(Persona, user.pk, persona_id)
    if Persona.objects.filter(owner=user).count() >= PersonaForm.most:
        words = _("You've reached the limit of {most}. Delete one first.")
        messages.error(request, words.format(most=PersonaForm.most))
        return redirect("personas")
    name = _("{name} (copy)").format(name=persona.name)
    persona.pk, persona.owner, persona.for_everybody = uuid.uuid4(), user, False
    persona.name = name if len(name) <= NAME_LENGTH else persona.name
    persona._state.adding = True
    persona.save()
    return redirect("persona", persona.pk)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def deletion(request: MemberRequest, persona_id: uuid.UUID) -> HttpResponse:
    """Delete a persona after confirmation. Its chats stay and keep their settings."""
    persona = editable_object(Persona, request.user.pk, persona_id)
    if request.method != "POST":
        return render(request, "personas/deletion.html", {"persona": persona})
    persona.delete()
    return redirect("personas")
