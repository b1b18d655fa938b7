"""Let administrators invite people."""

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from chat.accounts.models import Invitation
from chat.accounts.sign_up import invitations as inviting
from chat.review.access_log.authority import with_reason
from chat.review.access_log.staff_context import StaffContext
from chat.review.members import actions as member_actions
from chat.site_settings import effective
from chat.web.review.http.staff_access import acting_administrators, administrators, show
from chat.web.review.members.forms import InvitationRow, InviteForm

MAX_SHOWN = 200


@require_http_methods(["GET", "HEAD", "POST"])
@administrators
def invitations(request: HttpRequest, staff_context: StaffContext) -> HttpResponse:
    """Show open invitations and invite people. Links that could not be emailed are shown once."""
    is_sent = request.method == "POST"
    form = InviteForm(request.POST, request.FILES) if is_sent else InviteForm()
    outcomes = []
    if is_sent and effective.sign_up() != "closed" and form.is_valid():
        why = with_reason(staff_context, form.cleaned_data["reason"])
        wanted = form.cleaned_data["wanted"]
        outcomes = [_invite(request, why, each) for each in wanted]
        form = _form_to_correct(form, wanted, outcomes)
    context = {
        "form": form,
        "outcomes": outcomes,
        "has_links": any(each.get("link") for each in outcomes),
        "is_closed": effective.sign_up() == "closed",
        "is_mailed": inviting.is_mail_configured(),
        "open": Invitation.objects.select_related("group")[:MAX_SHOWN],
    }
    status = 422 if form.errors else 200
    return show(request, staff_context, "invitations.html", context, status=status)


@require_POST
@acting_administrators
def withdrawal(
    request: HttpRequest, staff_context: StaffContext, invitation_id: int
) -> HttpResponse:
    member_actions.withdraw_invitation(staff_context, invitation_id)
    messages.success(request, _("Invitation revoked."))
    return redirect("review_invitations")


def _form_to_correct(
    form: InviteForm, wanted: list[InvitationRow], outcomes: list[dict[str, object]]
) -> InviteForm:
    """Return a form with the lines that had a problem, so that only these are sent again."""
    lines = [
        row.line for row, outcome in zip(wanted, outcomes, strict=True) if outcome.get("problem")
    ]
    if not lines:
        return InviteForm()
    same = {name: form.cleaned_data[name] for name in ("group", "reason")}
    return InviteForm(initial={"people": "\n".join(lines)} | same)


def _invite(
    request: HttpRequest, staff_context: StaffContext, wanted: InvitationRow
) -> dict[str, object]:
    """Invite one person; return the link to pass on if no email was sent, or the problem."""
    if wanted.problem:
        return {"email": wanted.email, "problem": wanted.problem}
    try:
        invitation, token = member_actions.invite(staff_context, wanted.email, wanted.group)
    except ValidationError as error:
        return {"email": wanted.email, "problem": " ".join(error.messages)}
    address = inviting.invitation_url(token)
    is_sent = inviting.send(invitation, address)
    return {"email": invitation.email, "link": "" if is_sent else address}
