"""Manage the team of a site."""

from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.validators import validate_email
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from chat.errors import BadRequest, NotFound
from chat.inbox import team_invitations
from chat.inbox.team_access import Inbox, remove_member
from chat.web.http.form_fields import LineField
from chat.web.http.shared_limits import HOUR_SECONDS, require_rate
from chat.web.http.typed_requests import MemberRequest
from chat.web.inbox.team_requests import for_team, show
from chat.web.widget_sites.look_form import PictureField
from chat.widget_sites import profiles, team
from chat.widget_sites.look import pictures
from chat.widget_sites.models import PUBLIC_NAME_LENGTH, SiteMember

INVITATIONS_PER_HOUR = 20


class TeamForm(forms.Form):
    email = LineField(
        most=254,
        label=gettext_lazy("Email address"),
        help_text=gettext_lazy("They need an account on this site with this address."),
    )
    role = forms.ChoiceField(
        label=gettext_lazy("Role"),
        choices=SiteMember.Role.choices,
        initial=SiteMember.Role.AGENT,
        help_text=gettext_lazy(
            "Agents read and answer chats. Owners can also change the website and its team."
        ),
    )

    def clean_email(self) -> str:
        email: str = self.cleaned_data["email"].strip()
        validate_email(email)
        return email


class PublicNameForm(forms.Form):
    name = LineField(
        most=PUBLIC_NAME_LENGTH,
        required=False,
        label=gettext_lazy("Your name for visitors"),
        help_text=gettext_lazy("Leave blank to answer as “A person”, without a picture."),
    )
    picture = PictureField(label=gettext_lazy("Picture"))
    remove_picture = forms.BooleanField(required=False, label=gettext_lazy("Remove"))

    def __init__(self, sent: Any = None, files: Any = None, **options: Any) -> None:
        super().__init__(sent, files, **options)
        words = gettext_lazy("PNG, JPEG or WebP, at most {kilobytes} KB.")
        self.fields["picture"].help_text = words.format(kilobytes=pictures.MAX_KILOBYTES)

    @property
    def new_picture(self) -> bytes | None:
        """The picture to store; None to leave the stored one, empty bytes to remove it."""
        if self.cleaned_data["remove_picture"]:
            return b""
        return self.cleaned_data["picture"] or None


@require_http_methods(["GET", "HEAD", "POST"])
@for_team
def show_all(request: MemberRequest, inbox: Inbox) -> HttpResponse:
    """List the team; a POST of an owner invites somebody."""
    form = TeamForm(request.POST if request.method == "POST" else None)
    if request.method == "POST":
        _require_owner(inbox)
        user_id = str(inbox.user_id)  # each invitation is a mail
        require_rate("team", user_id, INVITATIONS_PER_HOUR, HOUR_SECONDS)
        if form.is_valid() and _invited(inbox, form):
            messages.success(request, _("Invitation sent."))
            return redirect("inbox_team", inbox.site.key)
    own = PublicNameForm(initial={"name": profiles.profile_of(inbox.site, inbox.user_id).name})
    return show(
        request, inbox, "team.html", _context(inbox, form, own), 422 if form.errors else 200
    )


@require_POST
@for_team
def own_name(request: MemberRequest, inbox: Inbox) -> HttpResponse:
    """Set the name under which the member answers visitors."""
    form = PublicNameForm(request.POST, request.FILES)
    if form.is_valid():
        name = form.cleaned_data["name"]
        profiles.set_profile(inbox.site, inbox.user_id, name, form.new_picture)
        messages.success(request, _("Saved."))
        return redirect("inbox_team", inbox.site.key)
    return show(request, inbox, "team.html", _context(inbox, TeamForm(), form), 422)


@require_POST
@for_team
def removal(request: MemberRequest, inbox: Inbox, member_id: int) -> HttpResponse:
    """Remove a member. Everybody may leave a team."""
    member = team.member_of(inbox.site, member_id)
    is_own = member.user_id == inbox.user_id
    if not is_own:
        _require_owner(inbox)
    remove_member(member)
    messages.success(request, _("Removed."))
    return redirect("sites") if is_own else redirect("inbox_team", inbox.site.key)


@require_POST
@for_team
def withdrawal(request: MemberRequest, inbox: Inbox, invitation_id: int) -> HttpResponse:
    """Withdraw an invitation, or remove one that was declined or has expired."""
    _require_owner(inbox)
    team_invitations.invitation_to(inbox.site, invitation_id).delete()
    messages.success(request, _("Invitation removed."))
    return redirect("inbox_team", inbox.site.key)


@require_POST
@never_cache
@login_required
def acceptance(request: MemberRequest, invitation_id: int) -> HttpResponse:
    """Accept an invitation; the inbox is open from then on."""
    try:
        member = team_invitations.accept(request.user, invitation_id)
    except BadRequest as error:
        messages.error(request, error.public)
        return redirect("sites")
    return redirect("inbox", member.site.key)


@require_POST
@never_cache
@login_required
def refusal(request: MemberRequest, invitation_id: int) -> HttpResponse:
    team_invitations.decline(request.user, invitation_id)
    messages.success(request, _("Invitation declined."))
    return redirect("sites")


def _context(inbox: Inbox, form: TeamForm, own: PublicNameForm) -> dict[str, Any]:
    members = team.members_of(inbox.site)
    people = [inbox.site.owner_id, *(each.user_id for each in members)]
    known = profiles.profiles_of(inbox.site, people)
    return {
        "form": form,
        "name_form": own,
        "own_profile": profiles.profile_of(inbox.site, inbox.user_id),
        "owner_profile": known.get(inbox.site.owner_id),
        "members": [(each, known.get(each.user_id)) for each in members],
        "invitations": team_invitations.invitations_to(inbox.site) if inbox.may_manage else [],
    }


def _invited(inbox: Inbox, form: TeamForm) -> bool:
    values = form.cleaned_data
    try:
        team_invitations.invite(inbox.site, values["email"], SiteMember.Role(values["role"]))
    except BadRequest as error:
        form.add_error("email", error.public)
        return False
    return True


def _require_owner(inbox: Inbox) -> None:
    if not inbox.may_manage:
        raise NotFound
