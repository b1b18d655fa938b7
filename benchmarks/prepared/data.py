"""The data that the uses read and change: a member with 1,000 chats."""

import uuid
from datetime import timedelta

from django.core.management import call_command
from django.utils import timezone

from chat.accounts.models import User
from chat.accounts.sessions.session_store import UserSession
from chat.conversations.models import Conversation, Message
from chat.generations.models import Generation
from chat.knowledge import excerpts
from chat.knowledge.models import Collection, Document, DocumentContent
from chat.quotas.models import Charge, Meter

CHATS, MESSAGES, FLUSHED, PASSAGES = 1000, 100, 30, 10
KEYS = ["everyone", "user:1", "group:1", "address:1"]


class Site:
    """What the uses read and change."""

    def __init__(self) -> None:
        call_command("migrate", verbosity=0)
        self.now = timezone.now()
        self.user = User.objects.create(email="alice@example.org")
        Conversation.objects.bulk_create(
            Conversation(owner=self.user, title=f"Chat {number}") for number in range(CHATS)
        )
        self.chat = Conversation.objects.create(owner=self.user, title="Long")
        self.messages = [self.message() for _ in range(MESSAGES)]
        for each in self.messages:
            each.save()
        self.ids = [each.pk for each in self.messages]
        self.generations = [self.generation() for _ in range(FLUSHED)]
        Generation.objects.bulk_create(self.generations)
        self.running = [each.pk for each in self.generations]
        self.charge = self.new_charge()
        self.charge.save()
        Meter.objects.bulk_create(Meter(key=key) for key in KEYS)
        later = self.now + timedelta(days=1)
        UserSession.objects.create(session_key="key", expire_date=later, user=self.user)
        self.passages = [self.passage() for _ in range(PASSAGES)]

    def passage(self) -> excerpts.Place:
        collection = Collection.objects.create(owner=self.user, name="Handbook")
        document = Document.objects.create(collection=collection, name="a.txt")
        DocumentContent.objects.create(document=document, text="Some text. " * 500)
        return document.pk, 1200, 2400

    def message(self) -> Message:
        return Message(conversation=self.chat, role="assistant", text="Some text. " * 20)

    def generation(self) -> Generation:
        return Generation(
            owner=self.user, message=self.messages[-1], model="m", send_key=uuid.uuid4().hex,
            send_digest="d",
        )  # fmt: skip

    def new_charge(self) -> Charge:
        return Charge(
            user=self.user, keys=KEYS, model="m", prompt_tokens=1, created_at=self.now, tokens=1,
            millineurons=1, microdollars=1,
        )  # fmt: skip
