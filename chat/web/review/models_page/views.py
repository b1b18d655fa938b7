"""Let administrators choose the models that the site offers, and follow the providers' changes."""

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from chat.review.access_log.staff_context import StaffContext
from chat.review.model_catalogue import actions as catalogue_actions
from chat.upstream.catalogue import service_changes
from chat.web.review.http.staff_access import acting_administrators, show
from chat.web.review.models_page.forms import SWITCH, CatalogueForm, ModelForm
from chat.web.review.models_page.presenters import facts_of, shown_changes

SEARCHABLE = 20  # with more models than this, the page has a search


@require_http_methods(["GET", "HEAD", "POST"])
@acting_administrators
def show_models(request: HttpRequest, staff_context: StaffContext) -> HttpResponse:
    models = catalogue_actions.current_models()
    wanted = request.GET.get("q", "")
    form = CatalogueForm(request.POST if request.method == "POST" else None, models, wanted)
    if request.method == "POST" and form.is_valid():
        try:
            catalogue_actions.switch_and_order(staff_context, form.offered(), form.order())
        except ValidationError as error:
            form.add_error(None, error)
        else:
            messages.success(request, _("Saved. Applies from the next message."))
            return redirect("review_models")
    gone = [model for model in models.values() if model.is_gone]
    context = {"form": form, "gone": gone, "wanted": wanted, "has_many": len(models) > SEARCHABLE}
    return show(request, staff_context, "models.html", context, status=422 if form.errors else 200)


@require_http_methods(["GET", "HEAD", "POST"])
@acting_administrators
def edit_model(request: HttpRequest, staff_context: StaffContext, model_id: str) -> HttpResponse:
    model = catalogue_actions.model_of(model_id)
    form = ModelForm(
        request.POST if request.method == "POST" else None,
        model,
        catalogue_actions.own_values(model_id),
        catalogue_actions.model_without_own(model_id),
    )
    if request.method == "POST" and form.is_valid():
        try:
            catalogue_actions.edit(staff_context, model_id, form.values(), is_on=form.switched)
        except ValidationError as error:
            form.add_error(SWITCH, error)
        else:
            messages.success(request, _("Saved. Applies from the next message."))
            return redirect("review_models")
    context = {"form": form, "model": model, "facts": facts_of(model)}
    return show(request, staff_context, "model.html", context, status=422 if form.errors else 200)


@require_http_methods(["GET", "HEAD", "POST"])
@acting_administrators
def show_changes(request: HttpRequest, staff_context: StaffContext) -> HttpResponse:
    """Compare the catalogue with the providers' lists, and take over what was chosen.

    A POST compares again: what has changed since it was shown is not taken over.
    """
    providers = service_changes.find_changes()
    if request.method == "POST":
        wanted = set(request.POST.getlist("change"))
        chosen = [each for one in providers for each in one.changes if each.key in wanted]
        try:
            catalogue_actions.take_over(staff_context, chosen)
        except ValidationError as error:
            messages.error(request, " ".join(error.messages))
        else:
            _confirm(request, len(wanted), len(chosen))
        return redirect("review_model_changes")
    context = {
        "providers": shown_changes(providers),
        "has_changes": any(each.changes for each in providers),
    }
    return show(request, staff_context, "model_changes.html", context)


def _confirm(request: HttpRequest, wanted: int, taken: int) -> None:
    if taken:
        messages.success(request, _("Saved. Applies from the next message."))
    if wanted > taken:
        messages.warning(
            request, _("The provider's list has changed again. Check the changes below.")
        )
