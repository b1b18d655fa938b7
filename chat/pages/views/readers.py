"""A member sees who of the staff read their chats."""

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from chat.accounts.models import User
from chat.errors import NotFound
from chat.review import record


@require_safe
@never_cache
@login_required
def show(request: HttpRequest) -> HttpResponse:
    if not settings.REVIEW_TOLD:
        raise NotFound
    assert isinstance(request.user, User)  # noqa: S101  (login_required)
    user_id = request.user.pk
    context = {"opened": record.opened(user_id), "glimpsed": list(record.glimpsed(user_id))}
    return render(request, "settings/readers.html", context)
