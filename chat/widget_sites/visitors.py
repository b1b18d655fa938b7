"""Create visitors on arrival, and remove those who never write."""

import uuid
from datetime import timedelta

from django.db import IntegrityError, transaction
from django.db.models.signals import post_delete
from django.utils import timezone

from chat.accounts.models import VISITORS_DOMAIN, User
from chat.database.housekeeping import delete_all, left_out
from chat.widget_sites.models import Visitor, WidgetSite

IDLE = timedelta(days=1)
SEEN_EVERY = timedelta(minutes=5)
AT_ONCE = 500


@transaction.atomic
def make(site: WidgetSite, subject: str = "", name: str = "") -> Visitor:
    """Create a visitor, with an account that nobody can sign in to."""
    visitor_id = uuid.uuid4()
    user = User(email=f"{visitor_id}@{VISITORS_DOMAIN}", is_visitor=True)
    user.set_unusable_password()
    user.save()
    return Visitor.objects.create(id=visitor_id, site=site, user=user, subject=subject, name=name)


def find_by_subject(site: WidgetSite, subject: str, name: str) -> Visitor:
    """Return the visitor with this `subject`, created if needed."""
    try:
        with transaction.atomic():
            visitor = Visitor.objects.filter(site=site, subject=subject).first()
            visitor = visitor or make(site, subject, name)
    except IntegrityError:  # created at the same time, on another device
        visitor = Visitor.objects.get(site=site, subject=subject)
    if visitor.name != name:
        visitor.name = name
        visitor.save(update_fields=["name"])
    return visitor


def record_seen(visitor: Visitor) -> None:
    """Update when the visitor was last seen, to within a few minutes."""
    if timezone.now() - visitor.last_seen_at > SEEN_EVERY:
        Visitor.objects.filter(pk=visitor.pk).update(last_seen_at=timezone.now())


def record_consent(visitor: Visitor) -> None:
    """Record consent; the first time is kept."""
    Visitor.objects.filter(pk=visitor.pk, agreed_at=None).update(agreed_at=timezone.now())


def remove_idle() -> int:
    """Remove visitors without chats a day after their visit; return how many.

    Suspended ones stay, and those whom staff have warned: they would come back as if nothing had
    been.
    """
    gone = Visitor.objects.filter(last_seen_at__lt=timezone.now() - IDLE, user__conversations=None)
    gone = gone.filter(user__suspended_at=None, user__warnings=None)
    gone = gone.exclude(user__in=left_out(User._meta.db_table))
    ids = list(gone.values_list("user_id", flat=True)[:AT_ONCE])
    delete_all(User.all_objects.filter(pk__in=ids))
    return len(ids)


def connect_signals() -> None:
    """Delete a visitor's account and chats with the visitor. Call once, when the app is ready."""
    post_delete.connect(_take_account_along, sender=Visitor)


def _take_account_along(instance: Visitor, **_: object) -> None:
    User.all_objects.filter(pk=instance.user_id).delete()
