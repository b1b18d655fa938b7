"""Fill a served site with people and with one object of each kind that an address names."""

import json
import re
from dataclasses import dataclass

from django.urls import get_resolver

from tests.support.servers.server import Server
from tests.support.web.access_matrix import routes

#: Runs in a process of the site. Prints the session of each person, and the ids by parameter.
MAKE = """
import json
from datetime import timedelta
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.auth.models import Group, Permission
from django.utils import timezone
from chat.accounts.models import Invitation, User
from chat.accounts.sessions.session_store import SessionStore
from chat.api_keys import keys
from chat.api_keys.keys import KeyOptions
from chat.conversations.models import Conversation, Message
from chat.generations.models import Generation
from chat.personas.models import Persona, Prompt
from chat.projects.models import ChatTag, Project
from chat.review.case_models import Case, Rule
from chat.review.models import ReviewScope, SavedSearch, StaffNote
from chat.review.moderation.warnings import ModerationWarning
from chat.sharing.links import Choices, make
from chat.web.review.http.reasons import SESSION_KEY as REASON
from chat.widget_sites.models import WidgetSite

def session_of(user):
    session = SessionStore()
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = "allauth.account.auth_backends.AuthenticationBackend"
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    until = (timezone.now() + timedelta(hours=1)).timestamp()
    session[REASON] = {"reason": "A report of today", "until": until}
    session["account_authentication_methods"] = [
        {"method": "password", "at": timezone.now().timestamp(), "email": user.email}
    ]
    session.create()
    return session.session_key

alice = User.objects.get(email="alice@example.org")
rita = User.objects.create_user("rita@example.org", "tide table", name="Rita", is_staff=True)
adam = User.objects.create_superuser("adam@example.org", "tide table", name="Adam")
rita.user_permissions.add(
    *Permission.objects.filter(codename__in=["review", "lead_review", "administer_review"])
)
ReviewScope.objects.create(reviewer=rita)
chat, answer = Conversation.objects.get(), Message.objects.last()
site = WidgetSite.objects.create(
    owner=alice, name="Shop", origins=["https://www.shop.example"]
)
key, secret = keys.create(alice, KeyOptions("Hers"))
link = make(chat, Choices())
rule = Rule.objects.create(name="Water", kind="words", text="water")
found = {
    "user": alice.pk, "conversation": chat.pk, "message": answer.pk,
    "generation": Generation.objects.get().pk, "link": link.pk, "token": link.token,
    "tag": ChatTag.objects.create(owner=alice, name="Hers").pk,
    "persona": Persona.objects.create(owner=alice, name="Hers").pk,
    "prompt": Prompt.objects.create(owner=alice, name="Hers").pk,
    "project": Project.objects.create(owner=alice, name="Hers").pk,
    "site": site.key, "api_key": key.pk, "rule": rule.pk,
    "warning": ModerationWarning.objects.create(person=alice, text="Hers").pk,
    "note": StaffNote.objects.create(conversation=chat, author=rita, text="Hers").pk,
    "view": SavedSearch.objects.create(owner=rita, name="Hers", query="q=water").pk,
    "group": Group.objects.create(name="Choir").pk,
    "case": Case.objects.create(conversation=chat).pk,
}
sessions = {each.email.partition("@")[0]: session_of(each) for each in (alice, rita, adam)}
print(json.dumps({"sessions": sessions, "ids": found, "secret": secret}, default=str))
"""


@dataclass(frozen=True)
class PeopledSite:
    """The people's session keys by name, the ids of what there is, and a key of alice's."""

    sessions: dict[str, str]
    ids: dict[str, str]
    secret: str

    @classmethod
    def of(cls, server: Server) -> "PeopledSite":
        """Fill the site, in which alice has a chat already."""
        made = json.loads(server.run(MAKE))
        ids = {name: str(one) for name, one in made["ids"].items()}
        return cls(made["sessions"], ids, made["secret"])

    def paths(self) -> list[str]:
        """Return the path of each route, in an order in which signing out comes last."""
        found = sorted(set(routes(get_resolver().url_patterns)))
        return sorted(map(self._path, found), key=lambda path: "logout" in path)

    def _path(self, route: str) -> str:
        ids = {"kind": "json", "name": "people", "digits": "0b6e4f", "object": "1", "key": "guess"}
        ids |= self.ids | {"site_key": self.ids["site"], "app_label": "chat"}
        if route.startswith("sites/{"):
            ids["key"] = self.ids["site"]
        elif route.startswith("review/people/{key}"):
            ids["key"] = f"person-{self.ids['user']}"
        elif route.startswith("admin/"):
            ids["object"] = self.ids["user"]
        elif ".{kind}" in route and route.startswith("review/"):
            ids["kind"] = "csv"
        elif not route.startswith("s/"):
            ids["token"] = "guess"
        return "/" + re.sub(r"\{(\w+)\}", lambda name: ids.get(name[1], "1"), route)
