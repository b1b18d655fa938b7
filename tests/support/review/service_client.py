"""Read review with a service key, as programs do."""

from typing import Any

from django.test import Client

from chat.accounts.models import User
from chat.api_keys.keys import ServiceKeyOptions
from chat.api_keys.models import ApiKey
from chat.review.access_log.staff_context import StaffContext
from chat.review.service_keys import actions
from chat.review.staff import roles

REASON = "The weekly quality report"
SCOPES = ("audit", "figures", "review")


class ServiceClient:
    """A program with a service key, which gives a reason with each request unless told otherwise."""

    def __init__(self, key: ApiKey, text: str) -> None:
        self.key, self.text = key, text

    def get(self, path: str, query: Any = None, *, reason: str = REASON, **headers: str) -> Any:
        own = {"Authorization": f"Bearer {self.text}"}
        if reason:
            own["Runnel-Reason"] = reason
        return Client().get(f"/v1/review/{path}", query or {}, headers=own | headers)


def service_client(creator: User, *scopes: str, **options: Any) -> ServiceClient:
    """Return a program with a new key of this administrator's; without scopes, it has all."""
    reviewer = roles.reviewer_of(creator)
    assert reviewer
    chosen = ServiceKeyOptions(**{"name": "Report", "scopes": scopes or SCOPES, **options})
    return ServiceClient(*actions.create(StaffContext(reviewer, "A new program"), chosen))
