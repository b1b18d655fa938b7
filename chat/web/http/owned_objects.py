"""Share list and form handling between the pages of personas, prompts and collections."""

from typing import Any, TypeVar

from django.contrib import messages
from django.db.models import QuerySet
from django.db.models.functions import Substr
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from chat.accounts.models import User
from chat.personas import access
from chat.personas.models import Shareable
from chat.web.http.audience_form import SharingForm

BEGINNING_LENGTH = 480
T = TypeVar("T", bound=Shareable)


def list_context(kind: type[T], user: User, long_field: str) -> dict[str, Any]:
    """Return the user's own and shared objects, and whether the user may edit the shared ones.

    Each has the `beginning` of its `long_field`; the field itself is not loaded, because all of
    them together may be fifty million characters.
    """
    return own_and_shared(with_beginning(access.usable(kind, user.pk), long_field), user)


def own_and_shared(usable: QuerySet[Any], user: User) -> dict[str, Any]:
    """Return these objects, and whether the user may edit the shared ones."""
    objects = list(usable.prefetch_related("groups"))
    return {
        "own": [each for each in objects if each.owner_id],
        "shared": [each for each in objects if not each.owner_id],
        "may_change_shared": user.is_staff,
    }


def form_page(
    request: HttpRequest,
    template: str,
    form: SharingForm[T],
    saved: str,
    then: str,
    *,
    opens: bool = False,
) -> HttpResponse:
    """Render the form with its errors, or save it and redirect to `then`, its page if it opens."""
    if form.is_bound and form.is_valid():
        one = form.save()
        messages.success(request, saved)
        return redirect(then, one.pk) if opens else redirect(then)
    context = {"form": form, "changed": form.changed}
    return render(request, template, context, status=422 if form.errors else 200)


def with_beginning(objects: QuerySet[T], long_field: str) -> QuerySet[Any]:
    """Return `objects` with the attribute `beginning`; the whole `long_field` is read when used."""
    return objects.defer(long_field).annotate(beginning=Substr(long_field, 1, BEGINNING_LENGTH))
