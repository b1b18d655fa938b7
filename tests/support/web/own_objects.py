"""Objects of a member, for paths of all routes."""

import re

from asgiref.sync import sync_to_async
from django.test import AsyncClient

from chat.accounts.models import User
from chat.api_keys import keys
from chat.api_keys.keys import KeyOptions
from chat.conversations.models import Conversation
from chat.conversations.tool_calls.models import StoredToolCall
from chat.indexing import documents
from chat.knowledge.models import Collection
from chat.personas.models import Persona, Prompt
from chat.projects.models import ChatTag, Project
from chat.review.moderation.warnings import ModerationWarning
from chat.sharing.links import Choices, make
from chat.sharing.models import SharedLink
from chat.widget_sites.identity_keys import make_secret
from chat.widget_sites.models import WidgetSite
from tests.support.generations.send import send
from tests.support.generations.stream_reader import read_stream


async def objects_of(owner: User, client: AsyncClient, routes: str) -> dict[str, str]:
    """Make what the routes name, and return the ids by the names of the parameters."""
    found = {"user": str(owner.pk)}
    if re.search(r"\{(conversation|message|generation|link|call)\}|sends/\{key\}|\bs/\{", routes):
        response = await send(client, key="alices-send", text="Hello")
        await read_stream(response)
        for name in ("Generation", "Conversation", "Message"):
            found[name.lower()] = response[f"X-{name}-Id"]
    if "{call}" in routes:
        call = await StoredToolCall.objects.acreate(
            message_id=found["message"], place=0, round=1, tool="remember", state="proposed"
        )
        found["call"] = str(call.pk)
    if re.search(r"\{link\}|\bs/\{", routes):
        link = await shared(found["conversation"])
        found |= {"link": str(link.pk), "token": link.token}
    tag = await ChatTag.objects.acreate(owner=owner, name="Hers")
    found["tag"] = str(tag.pk)
    for kind in (Persona, Prompt, Project, Collection):
        one = await kind.objects.acreate(owner=owner, name="Hers")
        found[str(kind._meta.model_name)] = str(one.pk)
    if "{document}" in routes:
        collection = await Collection.objects.aget(pk=found["collection"])
        document = await sync_to_async(documents.add)(collection, owner, "hers.txt", b"Hers")
        found["document"] = str(document.pk)
    if "sites/{" in routes:
        site = await WidgetSite.objects.acreate(owner=owner, name="Hers")
        key, _secret = await sync_to_async(make_secret)(site)
        found |= {"site": site.key, "identity": str(key.pk)}
        source = await site.sources.acreate(address="https://shop.example/")
        found["source"] = str(source.pk)
        invitation = await site.invitations.acreate(email="agnes@example.org", role="agent")
        found["invitation"] = str(invitation.pk)
        snippet = await site.snippets.acreate(question="Hers?", answer="Hers")
        found["snippet"] = str(snippet.pk)
        gap = await site.gaps.acreate()
        found["gap"] = str(gap.pk)
        case = await site.answer_cases.acreate(question="Hers?", source="Hers")
        found["case"] = str(case.pk)
    if "sites/invitations/{" in routes:
        another = await User.objects.acreate(email="agnes@example.org")
        site = await WidgetSite.objects.acreate(owner=another, name="Theirs")
        invitation = await site.invitations.acreate(email=owner.email, account=owner, role="agent")
        found["invitation"] = str(invitation.pk)
    if "{api_key}" in routes:
        api_key, _text = await sync_to_async(keys.create)(owner, KeyOptions("Hers"))
        found["api_key"] = str(api_key.pk)
    if "{warning}" in routes:
        warning = await ModerationWarning.objects.acreate(person=owner, text="Hers")
        found["warning"] = str(warning.pk)
    return found


def path_of(route: str, hers: dict[str, str]) -> str:
    """Return the path with her objects, and a guess for what is nobody's."""
    given = {"key": "guess", "token": "guess", "kind": "json", "name": "people"}
    given |= {"digits": "0b6e4f", "digest": "guess"}
    if route.startswith("sites/{"):
        given["key"] = hers["site"]
    if "sends/{key}" in route:
        given["key"] = "alices-send"
    if route.startswith("s/"):
        given["token"] = hers["token"]
    mine = {name: one for name, one in hers.items() if name != "token"}
    return "/" + re.sub(r"\{(\w+)\}", lambda found: (given | mine).get(found[1], "1"), route)


@sync_to_async
def shared(conversation_id: str) -> SharedLink:
    return make(Conversation.objects.get(pk=conversation_id), Choices())
