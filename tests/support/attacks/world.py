"""Give one member an object of each kind, and fill every address of the site with their ids."""

import json
import re
from functools import cache
from urllib.parse import quote

from django.urls import get_resolver

from tests.support.attacks.people import Person, Vera
from tests.support.web.access_matrix import routes

Ids = dict[str, str]
MAKE = """
import json
from django.contrib.auth.models import Group
from chat.accounts.models import Invitation, User
from chat.accounts.sign_up import invitations
from chat.api_keys import keys
from chat.api_keys.keys import KeyOptions
from chat.conversations.models import Conversation, Message
from chat.inbox.labels import add_label
from chat.personas.models import Persona, Prompt
from chat.projects.models import ChatTag, Project
from chat.review.case_models import Rule
from chat.review.cases import flags
from chat.review.models import SavedSearch, StaffNote
from chat.review.moderation.warnings import ModerationWarning
from chat.sharing.links import Choices, make
from chat.widget_sites.identity_keys import make_secret
from chat.widget_sites.models import SiteMember, TeamInvitation, WidgetSite
owner = User.objects.get(pk={user_id})
chat = Conversation.objects.get(pk={conversation!r})
message = Message.objects.get(pk={message})
site = WidgetSite.objects.get(key={site!r})
link = make(chat, Choices())
colleague = User.objects.create_user(f"colleague-{{owner.pk}}@example.org")
word = f"Hers {{owner.pk}}"
case = flags.report(chat.pk, message, owner.pk, "harmful", "").case
print(json.dumps({{
    "link": link.pk, "shared": link.token, "user": owner.pk,
    "persona": Persona.objects.create(owner=owner, name=word).pk,
    "prompt": Prompt.objects.create(owner=owner, name=word).pk,
    "project": Project.objects.create(owner=owner, name=word).pk,
    "tag": ChatTag.objects.create(owner=owner, name=word[:20]).pk,
    "api_key": keys.create(owner, KeyOptions(word))[0].pk,
    "identity": make_secret(site)[0].pk,
    "warning": ModerationWarning.objects.create(person=owner, text=word).pk,
    "member": SiteMember.objects.create(site=site, user=colleague, role="agent").pk,
    "invitation": TeamInvitation.objects.create(site=site, email="x@example.org", role="agent").pk,
    "group": Group.objects.create(name=word).pk,
    "rule": Rule.objects.create(name=word, kind="words", text="word", is_enabled=False).pk,
    "case": case.pk,
    "label": add_label(site, word).pk,
    "note": StaffNote.objects.create(conversation=chat, author=owner, text=word).pk,
    "view": SavedSearch.objects.create(owner=owner, name=word, query="q=a").pk,
}}, default=str))
"""


def objects_of(owner: Person) -> Ids:
    """Return the ids of new objects of the person's, by the names of the routes' parameters."""
    sent = owner.send("Hello")
    ids = {name: sent.headers[f"X-{name.title()}-Id"] for name in SENT}
    ids["site"] = ids["site_key"] = owner.make_site(offers_person=True, asks_email=True)
    said = Vera(owner.server, ids["site"]).send("Hello from a visitor")
    ids |= {f"visitors_{name}": said.headers[f"X-{name.title()}-Id"] for name in SENT}
    made = owner.server.run(MAKE.format(user_id=owner.user_id, **ids))
    return ids | {name: str(each) for name, each in json.loads(made).items()}


SENT = ("conversation", "message", "generation")
#: What nobody has, or what is the same for everybody.
USUAL = {
    "kind": "csv", "name": "people", "digits": "0b6e4f", "digest": "0" * 64, "model": "@cf/openai/gpt-oss-120b",
    "uidb36": "1", "pk": "1", "chat": "a-chat", "rest": "models", "object": "1", "content_type": "1",
    "app_label": "chat", "url": "x", "account": "1", "task": "run",
}  # fmt: skip


def path_of(route: str, ids: Ids) -> str:
    """Return the path of a route with these ids."""
    known = USUAL | {"token": "guess", "key": ids["user"]} | ids
    if route.startswith(("sites/{", "review/sites/{")):
        known["key"] = ids["site"]
    if route.startswith(("s/", "stop-")):
        known["token"] = ids["shared"]
    if route.startswith("review/people/"):
        known["key"] = ids["user"]
    if route.startswith(("w/", "sites/{key}/inbox")):
        known |= {name: ids[f"visitors_{name}"] for name in SENT}
    if "quotas/" in route:
        known |= {"kind": "person", "key": ids["user"]}
    if "export." in route or "queue/export" in route:
        known["kind"] = "json" if route.startswith("chat/") else "csv"
    route = route.replace("(?P", "").replace(")", "").replace("(?:", "")
    return "/" + re.sub(r"\{(\w+)\}", lambda each: quote(known.get(each[1], "1")), route)


@cache
def all_routes() -> tuple[str, ...]:
    """Return every route of the site, for members, visitors, programs, staff and the admin."""
    return tuple(sorted(set(routes(get_resolver().url_patterns))))
