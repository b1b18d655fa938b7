"""Build a site of 5,000 people. Word frequencies are those of a language; models vary."""

import random
import uuid
from collections.abc import Iterator
from datetime import timedelta
from itertools import count, islice
from typing import Any, NamedTuple

from django.contrib.auth.models import Group, Permission
from django.core.management import call_command
from django.db import connection, transaction
from django.utils import timezone

from benchmarks.search.data import ABSENT, indexed_afterwards, texts_of, timed
from chat.accounts.models import User
from chat.conversations.models import Conversation, Message
from chat.generations.models import Generation
from chat.quotas.models import Charge
from chat.review import triggers
from chat.review.analytics import rollup
from chat.review.case_models import Case, Flag, Rule
from chat.review.cases import message_facts
from chat.review.language_models import MessageLanguage
from chat.review.models import ReviewScope
from chat.review.personal_data_models import MessagePersonalData, PersonalDataScan
from chat.review.verdict_models import MessageVerdict

SEED = 7
PEOPLE = 5000
PUPILS = 150
PER_CONVERSATION = 10
FLAGGED = 0.05
AT_ONCE = 5000
MODELS = ("@cf/meta/llama-3.3-70b-instruct-fp8-fast", "@cf/openai/gpt-oss-20b")
OLD_MODEL, RARE_MODEL = "@cf/gone/old-model", "@cf/rare/model"
EMAIL, PHONE = "email", "phone"
#: What some messages have of personal data, and how many of them.
VALUES = {EMAIL: ("ada@example.org", 0.02), PHONE: ("+49 30 901820", 0.01)}
LANGUAGES = ("en",) * 14 + ("de",) * 5 + ("fi",)
TOPICS = tuple(f"Topic {number}" for number in range(10))
JUDGED = 0.2  # of the answers
#: What the program stores with each of these facts.
FACTS = """
UPDATE chat_conversationstats SET languages = ' ' || (
    SELECT l.language FROM chat_message m JOIN chat_messagelanguage l ON l.message_id = m.id
    WHERE m.conversation_id = chat_conversationstats.conversation_id LIMIT 1
) || ' ', topics = coalesce((
    SELECT '\n' || min(v.topic) || '\n'
    FROM chat_message m JOIN chat_messageverdict v ON v.message_id = m.id
    WHERE m.conversation_id = chat_conversationstats.conversation_id
), '\n')
"""
OLD, RARE = "narwhal", "quokka"  # in all but the newest 5 %; in five chats
STATES = (["complete"] * 94) + (["stopped"] * 4) + ["interrupted", "failed"]


class Turns(NamedTuple):
    """The rows of one chat."""

    conversation: Conversation
    messages: list[Message]
    generations: list[Generation]
    charges: list[Charge]
    personal: list[MessagePersonalData]
    languages: list[MessageLanguage]
    verdicts: list[MessageVerdict]


def build(messages: int) -> User:
    """Create that many messages; return a lead reviewer who may see everyone."""
    call_command("migrate", verbosity=0)
    choose = random.Random(SEED)
    people = User.objects.bulk_create(
        User(email=f"person-{number}@example.org", name=f"Person {number}")
        for number in range(PEOPLE)
    )
    group = Group.objects.create(name="Pupils")
    for each in choose.sample(people, PUPILS):
        each.groups.add(group)
    with connection.cursor() as cursor:
        triggers.drop(cursor, connection.vendor)
        triggers.drop_for_cases(cursor, connection.vendor)
        with indexed_afterwards(cursor, messages):
            _store(_chats(choose, people, messages))
            _reset_ids(cursor)
        cursor.execute("ANALYZE")  # as the database does by itself eventually
        with timed("the facts of all of them are made", messages), transaction.atomic():
            triggers.fill(cursor, connection.vendor)
            cursor.execute(FACTS)
            triggers.make(cursor, connection.vendor)
            triggers.make_for_cases(cursor, connection.vendor)
            _flag(choose)
    PersonalDataScan.objects.create(region="", version=message_facts.VERSION, before=None)
    with timed("all days are counted", messages):
        rollup.close_days(3600)
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE" if connection.vendor == "postgresql" else "ANALYZE")
    lead = User.objects.create(email="lead@example.org")
    lead.user_permissions.add(Permission.objects.get(codename="lead_review"))
    ReviewScope.objects.create(reviewer=lead)
    return lead


def _flag(choose: random.Random) -> None:
    """Put one chat in twenty into the queue, open or resolved: a report and maybe a rule's flag."""
    rule = Rule.objects.create(name="A rule", kind=Rule.Kind.WORDS, text=ABSENT, is_enabled=False)
    chats = Conversation.objects.values_list("pk", flat=True)
    cases = Case.objects.bulk_create(
        Case(
            conversation_id=chat,
            state=choose.choice((1, 1, 2, 3, 3, 3)),
            severity=choose.choice((1, 2, 3)),
        )
        for chat in chats.iterator()
        if choose.random() < FLAGGED
    )
    Flag.objects.bulk_create(
        Flag(case=each, source=source, rule=rule if source == Flag.Source.RULE else None)
        for each in cases
        for source in (Flag.Source.REPORT, Flag.Source.RULE)[: choose.choice((1, 2))]
    )


def _reset_ids(cursor: Any) -> None:
    if connection.vendor == "postgresql":
        cursor.execute(
            "SELECT setval(pg_get_serial_sequence('chat_message', 'id'), max(id)) FROM chat_message"
        )


def _store(chats: Iterator[Turns]) -> None:
    while some := list(islice(chats, AT_ONCE // PER_CONVERSATION)):
        with transaction.atomic():
            Conversation.objects.bulk_create(each.conversation for each in some)
            Message.objects.bulk_create(row for each in some for row in each.messages)
            Generation.objects.bulk_create(row for each in some for row in each.generations)
            Charge.objects.bulk_create(row for each in some for row in each.charges)
            MessagePersonalData.objects.bulk_create(row for each in some for row in each.personal)
            MessageLanguage.objects.bulk_create(row for each in some for row in each.languages)
            MessageVerdict.objects.bulk_create(row for each in some for row in each.verdicts)


def _chats(choose: random.Random, people: list[User], messages: int) -> Iterator[Turns]:
    texts = list(texts_of(choose))
    ids, now = count(1), timezone.now()
    chats = messages // PER_CONVERSATION
    rare = {chats * share // 10 for share in (1, 3, 5, 7, 9)}
    for number in range(chats):
        at = now - timedelta(minutes=chats - number)
        owner = choose.choice(people)
        is_old = number < chats * 0.95
        chat = Conversation(
            owner=owner, title=choose.choice(texts)[:60], created_at=at, updated_at=at
        )
        words = (OLD if is_old else "") + (f" {RARE}" if number in rare else "")
        model = RARE_MODEL if number in rare else choose.choice(MODELS)
        if is_old and number % 3 == 0:
            model = OLD_MODEL
        said = list(_messages(choose, chat, ids, texts, words))
        answers = [each for each in said if each.role == Message.Role.ASSISTANT]
        made = [_generation(choose, answer, model) for answer in answers]
        charges = [_charge(each) for each in made]
        language = choose.choice(LANGUAGES)
        languages = [MessageLanguage(message_id=each.pk, language=language) for each in said]
        verdicts = [_verdict(choose, each) for each in answers if choose.random() < JUDGED]
        yield Turns(chat, said, made, charges, _personal(said), languages, verdicts)


def _messages(
    choose: random.Random, chat: Conversation, ids: Iterator[int], texts: list[str], words: str
) -> Iterator[Message]:
    parent = None
    for number in range(PER_CONVERSATION):
        own = next(ids)
        role = Message.Role.ASSISTANT if number % 2 else Message.Role.USER
        value = "".join(f" {text}" for text, share in VALUES.values() if choose.random() < share)
        text = f"{choose.choice(texts)} {words}{value}"
        yield Message(
            id=own, conversation=chat, parent_id=parent, role=role, text=text,
            created_at=chat.created_at,
        )  # fmt: skip
        parent = own


def _personal(said: list[Message]) -> list[MessagePersonalData]:
    """Return what the queue of the rules would have noted about these messages."""
    return [
        MessagePersonalData(message_id=each.pk, kind=kind, count=1)
        for each in said
        for kind, (value, _share) in VALUES.items()
        if value in each.text
    ]


def _verdict(choose: random.Random, answer: Message) -> MessageVerdict:
    unanswered, harm = choose.random() ** 4, choose.random() ** 8
    return MessageVerdict(
        message_id=answer.pk, model="judge", probabilities={"unanswered": unanswered}, harm=harm,
        unanswered=unanswered, topic=choose.choice(TOPICS), characters=len(answer.text),
        microdollars=10, milliseconds=100, created_at=answer.created_at,
    )  # fmt: skip


def _generation(choose: random.Random, answer: Message, model: str) -> Generation:
    state, wait = choose.choice(STATES), int(choose.lognormvariate(6.5, 0.7))
    at = answer.created_at
    return Generation(
        id=uuid.UUID(int=choose.getrandbits(128)),
        owner=answer.conversation.owner, message=answer, state=state, send_key=str(answer.pk),
        model=model, last_seen_at=at, started_at=at, ended_at=at,
        error_code="x" if state == "failed" else "", completion_tokens=150, total_tokens=200,
        cost_usd=choose.random() / 1000, first_token_milliseconds=wait,
        milliseconds=wait + choose.randrange(500, 9000),
    )  # fmt: skip


def _charge(made: Generation) -> Charge:
    return Charge(
        id=made.pk, user=made.owner, keys=["everyone", f"user:{made.owner_id}"], model=made.model,
        prompt_tokens=50, created_at=made.started_at, settled_at=made.ended_at, tokens=200,
        millineurons=1000, microdollars=int((made.cost_usd or 0) * 1e6),
    )  # fmt: skip
