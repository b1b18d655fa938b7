"""The language of messages is known, counted and searched for, and rules ask for it."""

from typing import Any

import pytest

from chat.accounts.models import User
from chat.conversations.models import Message
from chat.review.analytics import rollup
from chat.review.case_models import Flag, Rule
from chat.review.cases import languages, message_facts
from chat.review.cases.dry_run import dry_run
from chat.review.language_models import MessageLanguage, languages_of
from chat.review.models import ConversationStats
from chat.review.personal_data_models import PersonalDataScan
from chat.review.search import answer_search, conversation_search
from chat.review.search.conversation_search import ConversationFacets
from tests.review.conftest import say, staff_context_of
from tests.support.review.cases import check_new
from tests.support.review.member_pages import with_reason

pytestmark = pytest.mark.django_db

GERMAN, ENGLISH = "Wie heißt die Hauptstadt von Frankreich?", "What is the capital of France?"
RULE = {
    "name": "German", "kind": "language", "text": "de\nfr", "threshold": "", "category": "",
    "share": "100", "action": "queue", "applies_to": "both", "severity": "2", "is_enabled": "on",
    "sample": "", "reason": "It was agreed",
}  # fmt: skip


def known() -> list[str]:
    messages = Message.objects.order_by("id")
    told = languages_of([each.pk for each in messages])
    return [told.get(each.pk, "") for each in messages]


def test_the_language_of_each_message_is_stored(alice: User) -> None:
    chat = say(alice, GERMAN, "Paris is the capital of France, as you surely know.")
    say(alice, "ok", "12")
    check_new()
    assert known() == ["de", "en", "", ""]
    assert ConversationStats.objects.get(pk=chat.pk).languages == " de "
    chat.messages.all().delete()
    assert not MessageLanguage.objects.exists()


def test_a_message_that_changes_is_looked_at_again(alice: User) -> None:
    chat = say(alice, GERMAN, "ok")
    check_new()
    question = chat.messages.get(role="user")
    Message.objects.filter(pk=question.pk).update(text=ENGLISH)
    message_facts.note([question.pk])
    assert known() == ["en", ""]
    assert ConversationStats.objects.get(pk=chat.pk).languages == " de en "
    Message.objects.filter(pk=question.pk).update(text="ok")
    message_facts.note([question.pk])
    assert known() == ["", ""]


def test_a_text_that_can_not_be_told_stops_nothing(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_text: str) -> None:
        raise IndexError

    say(alice, GERMAN)
    monkeypatch.setattr(languages, "language_of", fail)
    check_new()
    assert known() == [""]


def test_past_messages_are_looked_at_after_an_upgrade(alice: User) -> None:
    say(alice, GERMAN)
    say(alice, ENGLISH)
    PersonalDataScan.objects.create(region="", before=None)  # of a version that told no languages
    while message_facts.note_past():
        pass
    assert known() == ["de", "en"]
    assert not message_facts.note_past()


def test_with_reading_off_no_language_is_stored(alice: User, settings: Any) -> None:
    settings.REVIEW_PRIVACY = "off"
    say(alice, GERMAN)
    check_new()
    assert not MessageLanguage.objects.exists()


def test_chats_and_answers_are_filtered_by_the_language_of_questions(
    alice: User, lead: User
) -> None:
    german = say(alice, GERMAN, "Paris is the capital of France, as you surely know.")
    english = say(alice, ENGLISH, "Paris ist die Hauptstadt von Frankreich.")
    check_new()
    reviewer = staff_context_of(lead).reviewer
    facets = ConversationFacets(language="de")
    assert [each.pk for each in conversation_search.stats_of(reviewer, facets)] == [german.pk]
    answers = answer_search.answers_of(reviewer, facets)
    assert [each.message.conversation_id for each in answers] == [german.pk]
    facets = ConversationFacets(language="en")
    answers = answer_search.answers_of(reviewer, facets)
    assert [each.message.conversation_id for each in answers] == [english.pk]


def test_staff_filter_by_language_and_see_it_beside_a_message(alice: User, lead: User) -> None:
    chat = say(alice, GERMAN, "Paris.")
    other = say(alice, ENGLISH, "Paris.")
    check_new()
    client = with_reason(lead)
    shown = client.get("/review/?language=de").content.decode()
    assert str(chat.pk) in shown
    assert str(other.pk) not in shown
    assert "Language: German" in client.get(f"/review/{chat.pk}/").content.decode()
    assert "Language:" not in client.get(f"/review/{other.pk}/").content.decode()
    assert client.get("/review/?language=xx").status_code == 422


def test_analytics_count_questions_by_language(alice: User, bob: User, lead: User) -> None:
    say(alice, GERMAN, "Paris is the capital of France.")
    say(bob, GERMAN, "Paris is the capital of France.")
    say(bob, ENGLISH, "Paris.")
    say(bob, "ok", "Paris.")
    check_new()
    rollup.recount()
    client = with_reason(lead)
    rows = client.get("/review/analytics/languages.json").json()["languages"]
    assert [(each["language"], each["messages"], each["share"]) for each in rows] == [
        ("German", 2, 0.5),
        ("Not recognized", 1, 0.25),
        ("English", 1, 0.25),
    ]
    shown = client.get("/review/analytics/").content.decode()
    assert "By language of questions" in shown
    assert "language=de" in shown


def test_a_rule_flags_messages_in_a_language(alice: User, lead: User) -> None:
    client = with_reason(lead)
    client.post("/review/rules/new/", RULE)
    rule = Rule.objects.get()
    assert rule.kind == Rule.Kind.LANGUAGE
    german = say(alice, GERMAN, "Paris.")
    say(alice, ENGLISH, "Paris.")
    check_new()
    assert [each.case.conversation_id for each in Flag.objects.all()] == [german.pk]


@pytest.mark.parametrize("is_complete", [True, False])
def test_a_rule_is_tried_on_past_messages(alice: User, lead: User, *, is_complete: bool) -> None:
    german = say(alice, GERMAN, "Paris.")
    say(alice, ENGLISH, "Paris ist die Hauptstadt von Frankreich.")
    check_new()
    if is_complete:
        while message_facts.note_past():
            pass
    for rule in (
        Rule(kind=Rule.Kind.LANGUAGE, text="de"),
        Rule(kind=Rule.Kind.LANGUAGE, text="de\nfr", applies_to=Rule.AppliesTo.QUESTIONS),
    ):
        found = dry_run(staff_context_of(lead).reviewer, rule)
        assert found.checked == 4
        assert german.pk in found.conversations
    assert found.matches == 1


@pytest.mark.parametrize("text", ["", "German", "de\nxx"])
def test_a_rule_needs_codes_of_known_languages(lead: User, text: str) -> None:
    client = with_reason(lead)
    assert client.post("/review/rules/new/", RULE | {"text": text}).status_code == 422
    assert not Rule.objects.exists()


def test_a_rule_is_tried_with_a_text(lead: User) -> None:
    client = with_reason(lead)
    for sample, said in ((GERMAN, "This would match"), (ENGLISH, "Nothing would match")):
        shown = client.post("/review/rules/new/", RULE | {"try": "1", "sample": sample})
        assert said in shown.content.decode()
