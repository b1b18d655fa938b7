"""Ask a site's visitors who they are, and what it is about, before their first message.

What they enter is stored with the visitor, shown to the team and deleted with the visitor. Visitors
whom their website has identified aren't asked.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from django.utils.translation import gettext_lazy as _

from chat.accounts.models import User
from chat.errors import BadRequest, Forbidden, NotFound
from chat.inbox.models import VisitorDetails, VisitorEmail, VisitorForm
from chat.inbox.visitor_emails import valid_address
from chat.lib.text import clean, one_line
from chat.widget_sites.models import Visitor, WidgetSite


class DetailsRequired(Forbidden):
    code = "details_required"
    text = _("Fill in the form above first.")
    keeps_draft = True


class DetailsIncomplete(BadRequest):
    code = "details_incomplete"
    text = _("Fill in all fields.")


@dataclass(frozen=True, slots=True)
class GivenDetails:
    """What a visitor entered, not yet checked."""

    name: str
    email: str
    choice: str


def form_of(site: WidgetSite) -> VisitorForm | None:
    """Return what the site asks; None if nothing."""
    return VisitorForm.objects.filter(site=site).first()


def is_wanted_from(visitor: Visitor) -> bool:
    """Return whether the form is to be shown to this visitor."""
    return _is_asked(visitor) and VisitorForm.objects.filter(site=visitor.site_id).exists()


def require(visitor: Visitor) -> None:
    """Raise `DetailsRequired` if the visitor must fill in the form before writing."""
    required = VisitorForm.objects.filter(site=visitor.site_id, is_required=True)
    if required.exists() and _is_asked(visitor):
        raise DetailsRequired


def store(visitor: Visitor, given: GivenDetails) -> None:
    """Store what the site asks for, and no more.

    Raise `NotFound` if it asks nothing, `DetailsIncomplete` or `InvalidEmail`.
    """
    form = VisitorForm.objects.filter(site=visitor.site_id).first()
    if form is None:
        raise NotFound
    name = one_line(clean(given.name))[: VisitorDetails.NAME_LENGTH] if form.asks_name else ""
    email = valid_address(given.email) if form.asks_email and given.email.strip() else ""
    choice = given.choice if given.choice in form.choices else ""
    asked = [
        (form.asks_name, name),
        (form.asks_email, email),
        (bool(form.question), choice),
    ]
    if form.is_required and not all(value for is_asked, value in asked if is_asked):
        raise DetailsIncomplete
    if name or email or choice:
        values = {"name": name, "email": email, "choice": choice}
        VisitorDetails.objects.update_or_create(visitor=visitor, defaults=values)


def details_of(owner_id: int) -> VisitorDetails | None:
    """Return what the owner of a chat entered as a visitor."""
    return VisitorDetails.objects.filter(visitor__user=owner_id).first()


def names_of(owner_ids: Iterable[int]) -> dict[int, str]:
    """Return the names that visitors entered whom their website doesn't name, by their user ID."""
    named = VisitorDetails.objects.filter(visitor__user__in=set(owner_ids), visitor__name="")
    return dict(named.exclude(name="").values_list("visitor__user", "name"))


def move(stranger_id: int, known_id: int) -> None:
    """Move the details to the visitor whom the website has identified, unless they have some."""
    known = Visitor.objects.filter(user=known_id, details=None).first()
    if known:
        VisitorDetails.objects.filter(visitor__user=stranger_id).update(visitor=known)


def forget(user: User) -> None:
    """Delete what a visitor whose account is being closed entered, and their email addresses."""
    VisitorDetails.objects.filter(visitor__user=user).delete()
    VisitorEmail.objects.filter(conversation__owner=user).delete()


def _is_asked(visitor: Visitor) -> bool:
    return not visitor.subject and not VisitorDetails.objects.filter(visitor=visitor).exists()
