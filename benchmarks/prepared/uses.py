"""The uses of prepared statements beside the same by the ORM, for one member with 1,000 chats."""

from itertools import count
from typing import Any

from django.db.models import Subquery, Sum, Value
from django.db.models.functions import Coalesce, Length, Now, Substr
from django.utils import timezone

from benchmarks.prepared.data import KEYS, Site
from benchmarks.prepared.measure import Use
from chat.accounts.models import User
from chat.accounts.sessions import session_rights, session_store
from chat.accounts.sessions.session_store import UserSession
from chat.conversations import access, turns
from chat.conversations.images.models import StoredImage
from chat.conversations.models import Conversation, Message
from chat.conversations.sizes import storage
from chat.generations.models import Generation, LogPage
from chat.generations.result import Result
from chat.generations.send import sent, store
from chat.generations.storage import flush_statements
from chat.generations.storage.checkpoint import columns_of
from chat.generations.titles import title_writer
from chat.knowledge import excerpts
from chat.knowledge.models import DocumentContent
from chat.personas.access import usable
from chat.personas.models import Persona
from chat.quotas import charges, meters
from chat.quotas.models import Charge, ConfigVersion, Meter
from chat.web.chat import account_notices, sidebar
from chat.web.personas import persona_choice


def build() -> list[Use]:
    site = Site()
    return [*_requests(site), *_pages(site), *_sends(site), *_ends(site), *_quotas(site)]


def _requests(site: Site) -> list[Use]:
    sessions, users, pk = UserSession.objects, User.objects, site.user.pk
    return [
        Use(
            "session of a request",
            lambda: sessions.filter(session_key="key", expire_date__gt=timezone.now()).first(),
            lambda: session_store._current.first("key", timezone.now()),
        ),
        Use(
            "user of a request",
            lambda: users.filter(pk=pk, is_active=True).first(),
            lambda: session_rights._active_member.first(pk),
        ),
        Use(
            "conversation of a request",
            lambda: Conversation.objects.filter(owner=pk, pk=site.chat.pk).first(),
            lambda: access.conversation_of(pk, site.chat.pk),
        ),
    ]


def _pages(site: Site) -> list[Use]:
    pk, lengths = site.user.pk, Length("text") + Length("reasoning")
    part = site.ids[-10:]
    return [
        Use(
            "sidebar: 50 chats",
            lambda: list(sidebar._entries(sidebar._listed(pk), pk, sidebar.PAGE_LENGTH + 1)),
            lambda: sidebar._first_page.all(pk),
        ),
        Use(
            "role and warnings of a member",
            lambda: list(account_notices._flags_of(pk, site.now)),
            lambda: account_notices._flags.all(pk, site.now),
        ),
        Use(
            "personas to choose from",
            lambda: list(usable(Persona, pk).values_list("id", "name")[:100]),
            lambda: persona_choice.offered_personas(pk),
        ),
        Use(
            "lengths of 10 messages",
            lambda: dict(Message.objects.filter(pk__in=part).values_list("pk", lengths)),
            lambda: turns.lengths_of(part),
        ),
    ]


def _sends(site: Site) -> list[Use]:
    pk, chat, read = site.user.pk, site.chat.pk, site.ids[-4:]
    mine = Conversation.objects.filter(owner=pk, pk=chat)
    present = Message.objects.filter(conversation=chat, deleted_at=None)
    texts = Message.objects.filter(pk__in=read).order_by("pk").values_list("role", "text")

    def lock() -> None:
        mine.select_for_update().update(**access.NEXT_REVISION)
        mine.get()

    return [
        Use(
            "an earlier send with the same key: none",
            lambda: Generation.objects.filter(owner=pk, send_key="new").first(),
            lambda: sent._with_key.first(pk, "new"),
        ),
        Use(
            "number of messages",
            lambda: Message.objects.filter(conversation=chat).count(),
            lambda: turns.message_count(chat),
        ),
        Use("last message", present.all().last, lambda: turns.last_message(site.chat)),
        Use("4 texts of the prompt", lambda: list(texts.all()), lambda: turns.texts_of(read)),
        Use(
            "texts of 10 passages",
            lambda: list(_texts(site.passages)),
            lambda: excerpts.parts(site.passages),
        ),
        Use("storage of a member", lambda: _storage(pk), lambda: storage.used_bytes(pk)),
        Use(
            "lock a conversation",
            lock,
            lambda: access.conversation_of(pk, chat, to_change=True),
        ),
        Use(
            "insert a conversation",
            lambda: Conversation.objects.create(owner=site.user),
            lambda: turns.start_conversation(pk),
        ),
        Use(
            "insert a message",
            lambda: site.message().save(force_insert=True),
            lambda: turns._insert_message.one(site.message()),
        ),
        Use(
            "move a conversation up",
            lambda: mine.update(updated_at=site.now, title="Long"),
            lambda: turns._note.run(chat, site.now, "Long"),
        ),
        Use(
            "set a generated title",
            lambda: mine.filter(title="Long").update(title="Long", is_title_generated=True),
            lambda: title_writer._update.run(chat, "Long", "Long"),
        ),
        Use(
            "insert a generation",
            lambda: site.generation().save(force_insert=True),
            lambda: store._insert_generation.one(site.generation()),
        ),
    ]


def _texts(places: list[excerpts.Place]) -> Any:
    one, *others = (
        DocumentContent.objects.filter(document=pk).values_list(
            "document_id", Value(start), Value(end), Substr("text", start + 1, end - start)
        )
        for pk, start, end in places
    )
    return one.union(*others, all=True)


def _storage(pk: int) -> Any:
    images = StoredImage.objects.filter(owner=pk).values("owner").annotate(all=Sum("size_bytes"))
    return Conversation.all_objects.filter(owner=pk).aggregate(
        all=Sum(storage.SIZE, default=0) + Coalesce(Subquery(images.values("all")), 0),
        held=Sum(storage.SIZE, filter=storage.IS_HELD, default=0),
    )


def _ends(site: Site) -> list[Use]:
    message, first = site.messages[-1].pk, site.running[0]
    numbers = count(1)
    facts = {"ended_at": site.now, **columns_of(Result("running", 3, 4))}
    running = Generation.objects.filter(pk=first, state=Generation.State.RUNNING)
    shown = Message.objects.filter(pk=message, deleted_at=None).values("conversation")

    def pages() -> list[flush_statements.Page]:
        seq = next(numbers)
        return [(pk, seq, seq, b"x" * 500) for pk in site.running]

    def insert_pages() -> None:
        names = ("generation_id", "first_seq", "last_seq", "frames")
        LogPage.objects.bulk_create(
            [LogPage(**dict(zip(names, page, strict=True))) for page in pages()],
            update_conflicts=True,
            unique_fields=["generation", "first_seq"],
            update_fields=["last_seq", "frames", "written_at"],
        )

    return [
        Use(
            "flush: 30 pages",
            insert_pages,
            lambda: flush_statements.insert_pages(pages()),
        ),
        Use(
            "flush: requested stops of 30",
            lambda: list(
                Generation.objects.filter(pk__in=site.running).values_list(
                    "pk", "stop_requested", "stop_cause"
                )
            ),
            lambda: flush_statements.requested_stops(site.running),
        ),
        Use(
            "end a generation",
            lambda: running.update(**facts),
            lambda: flush_statements.update_generation(first, facts, only_running=True),
        ),
        Use(
            "store the answer's text, mark it unread",
            lambda: (
                Message.objects.filter(pk=message, hidden_at=None).update(text="a", reasoning=""),
                Conversation.objects.filter(pk=Subquery(shown)).update(is_unread=True),
            ),
            lambda: turns.finish_answer(message, "a", ""),
        ),
    ]


def _quotas(site: Site) -> list[Use]:
    names = [field.name for field in Meter._meta.fields]
    version = ConfigVersion.objects.filter(pk=1).values("version")
    read = Meter.objects.filter(pk__in=KEYS).annotate(now=Now(), version=Subquery(version))
    locked = Meter.objects.filter(pk="everyone").select_for_update()
    stored = meters.read(KEYS).meters
    settled = ["settled_at", "tokens", "millineurons", "microdollars"]
    site.charge.settled_at = None
    return [
        Use("lock the meters", lambda: list(locked.values_list("pk")), meters._lock.all),
        Use("read 4 meters", lambda: list(read.all()), lambda: meters.read(KEYS)),
        Use(
            "write 4 meters",
            lambda: Meter.objects.bulk_create(
                stored.values(),
                update_conflicts=True,
                unique_fields=["key"],
                update_fields=names[1:],
            ),
            lambda: meters.write(stored),
        ),
        Use(
            "insert a charge",
            lambda: site.new_charge().save(force_insert=True),
            lambda: charges.add(site.new_charge()),
        ),
        Use(
            "charges to settle",
            lambda: list(Charge.objects.filter(pk__in=[site.charge.pk], settled_at=None)),
            lambda: charges.open_charges([site.charge.pk]),
        ),
        Use(
            "settle a charge",
            lambda: site.charge.save(update_fields=settled),
            lambda: charges.store_settled([site.charge]),
        ),
    ]
