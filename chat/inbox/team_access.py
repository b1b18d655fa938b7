"""Give the team of a site access to its visitors' chats.

They are read through chat.review.access like those that staff review, within the site only. So each
reading is logged, and administrators see it in the audit log.
"""

from dataclasses import dataclass

from django.db import transaction
from django.db.models.functions import Now

from chat.accounts.models import User
from chat.conversations.models import Conversation, Takeover
from chat.generations.process.subscribers import Watcher
from chat.inbox.models import HandledChat
from chat.review.access_log.staff_context import StaffContext
from chat.review.models import REASON_LENGTH
from chat.review.staff.roles import Reviewer, Role
from chat.widget_sites.access import team_site_of, team_sites_of
from chat.widget_sites.models import SiteMember, TeamProfile, Visitor, WidgetSite


@dataclass(frozen=True, slots=True)
class Inbox:
    """A site's chats as one member of its team may use them."""

    site: WidgetSite
    staff_context: StaffContext
    may_manage: bool  # the site and its team

    @property
    def user_id(self) -> int:
        return self.staff_context.reviewer.user_id


def inbox_of(user: User, key: str) -> Inbox:
    """Return the inbox. Raise `NotFound` unless the user is in the site's team."""
    site = team_site_of(user.pk, key)
    roles = dict(site.team.values_list("user", "role")) | {site.owner_id: SiteMember.Role.OWNER}
    reviewer = Reviewer(
        user.pk,
        Role.REVIEWER,
        frozenset(),
        frozenset({site.pk}),
        colleagues=frozenset(roles),
        reads_hidden=False,
    )
    reason = f"Inbox: {site.name}"[:REASON_LENGTH]
    manages = roles.get(user.pk) == SiteMember.Role.OWNER
    return Inbox(site, StaffContext(reviewer, reason), manages)


@transaction.atomic
def remove_member(member: SiteMember) -> None:
    """Remove a member with their name for visitors, takeovers and assignments."""
    TeamProfile.objects.filter(site=member.site_id, user=member.user_id).delete()
    taken = Takeover.objects.filter(person=member.user_id, ended_at=None)
    here = taken.filter(conversation__owner__visitor__site=member.site)
    here.update(ended_at=Now(), ended_by=Takeover.End.LEFT)
    assigned = HandledChat.objects.filter(assignee=member.user_id)
    assigned.filter(conversation__owner__visitor__site=member.site).update(assignee=None)
    member.delete()


def leave_all(user: User) -> None:
    """Remove an account that is being closed from all teams, and from the chats that it handled."""
    for member in SiteMember.objects.filter(user=user).select_related("site"):
        remove_member(member)
    # Staff take over without being in a team, and so does who owns the website.
    taken = Takeover.objects.filter(person=user.pk, ended_at=None)
    taken.update(ended_at=Now(), ended_by=Takeover.End.LEFT)
    HandledChat.objects.filter(assignee=user.pk).update(assignee=None)


def still_allowed(watching: set[Watcher]) -> set[Watcher]:
    """Return those who may still watch; checked repeatedly while their streams are open."""
    allowed: set[Watcher] = set()
    people = {each.user_id for each in watching}
    for user_id in User.objects.filter(pk__in=people, is_active=True).values_list("pk", flat=True):
        watched = {each.conversation_id for each in watching if each.user_id == user_id}
        visitors = Visitor.objects.filter(site__in=team_sites_of(user_id))
        seen = Conversation.objects.filter(owner__in=visitors.values("user"), pk__in=watched)
        allowed |= {Watcher(user_id, pk) for pk in seen.values_list("pk", flat=True)}
    return allowed
