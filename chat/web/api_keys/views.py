"""Let members create, list and revoke API keys. A key is shown once, when it is created."""

from asgiref.sync import sync_to_async
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from chat.api_keys import keys
from chat.api_keys.errors import TooManyKeys
from chat.errors import NotFound
from chat.generations.delivery import notifications
from chat.generations.model_permissions import allowed_to
from chat.generations.process import server_process
from chat.web.api_keys import snippets
from chat.web.api_keys.forms import ApiKeyForm
from chat.web.api_keys.presenters import shown_keys
from chat.web.http.js_catalog import catalog
from chat.web.http.typed_requests import MemberRequest


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def api_keys(request: MemberRequest) -> HttpResponse:
    """List the keys; a POST creates one and shows it."""
    if not keys.may_have_keys(request.user):
        raise NotFound
    models = allowed_to(request.user.pk)
    if request.method != "POST":
        return _page(request, ApiKeyForm(None, models))
    form = ApiKeyForm(request.POST, models)
    if not form.is_valid():
        return _page(request, form)
    try:
        key, text = keys.create(request.user, form.options)
    except TooManyKeys as error:
        form.add_error(None, error.public)
        return _page(request, form)
    return _page(request, ApiKeyForm(None, models), text, key.name)


@require_POST
@never_cache
@login_required
async def revoke(request: HttpRequest, api_key_id: int) -> HttpResponse:
    """Revoke a key, and end its answers in progress."""
    user = await request.auser()
    assert user.pk  # noqa: S101  (login_required)
    await sync_to_async(keys.revoke)(user.pk, api_key_id)
    await server_process.current().subscribers.recheck_member(user.pk)
    await notifications.notify_sessions_ended(user.pk)
    messages.success(request, _("Key revoked. Programs can no longer use it."))
    return redirect("api_keys")


def _page(
    request: MemberRequest, form: ApiKeyForm, secret: str = "", secret_name: str = ""
) -> HttpResponse:
    context = {
        "form": form,
        "keys": shown_keys(list(keys.keys_of(request.user.pk))),
        "secret": secret,
        "secret_name": secret_name,
        "base_url": f"{snippets.site_address()}/v1",
        "snippets": snippets.snippets_for(next(iter(allowed_to(request.user.pk)), "")),
        "js_catalog": catalog(),
    }
    return render(request, "api_keys/show.html", context, status=422 if form.errors else 200)
