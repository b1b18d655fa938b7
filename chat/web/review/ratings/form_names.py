"""Name what rating forms are about."""

from collections.abc import Iterable

from django.contrib.auth.models import Group
from django.utils.translation import gettext as _

from chat.review.rating_models import RatingForm
from chat.widget_sites.models import WidgetSite


def named_scopes(forms: Iterable[RatingForm]) -> list[tuple[RatingForm, list[str]]]:
    """Return each form with the names of its group or website, and model."""
    forms = list(forms)
    groups = dict(
        Group.objects.filter(pk__in=[each.members for each in forms]).values_list("pk", "name")
    )
    sites = dict(
        WidgetSite.objects.filter(pk__in=[each.site for each in forms]).values_list("pk", "name")
    )
    return [(each, _scope(each, groups, sites)) for each in forms]


def _scope(form: RatingForm, groups: dict[int, str], sites: dict[int, str]) -> list[str]:
    names = []
    if form.members is not None:
        names.append(groups.get(form.members, _("Deleted group")))
    if form.site is not None:
        names.append(sites.get(form.site, _("Deleted website")))
    if form.model:
        names.append(form.model)
    return names or [_("Everyone")]
