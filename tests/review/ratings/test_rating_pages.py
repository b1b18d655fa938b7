"""Reviewers rate beside the transcript, and leads define forms, samples and see figures."""

import json

import pytest

from chat.accounts.models import User
from chat.conversations.models import Conversation
from chat.review.models import AccessLogEntry, SavedSearch
from chat.review.rating_models import (
    RatingForm,
    RatingSample,
    RatingTask,
    SampleDraw,
    StaffRating,
)
from chat.review.ratings.rating_forms import current_questions
from tests.review.conftest import give
from tests.support.review.data_requests import content_of
from tests.support.review.member_pages import WHY, client_of, with_reason
from tests.support.review.ratings import answer_of, rate_as

pytestmark = pytest.mark.usefixtures("stop_server_process")
FORM = {
    "reason": WHY,
    "name": "Tone",
    "questions": "3",
    "question0-text": "Is it kind?",
    "question0-kind": "ten",
    "question0-least_label": "rude",
    "question0-labels": "left over from another kind",
    "question1-text": "Topic",
    "question1-kind": "label",
    "question1-labels": "School\nHome",
    "question2-kind": "five",
}


def answers_to(form: RatingForm, score: int, text: str = "") -> dict[str, str]:
    first, topic, _faults, why = (f"form{form.pk}-q{each.pk}" for each in current_questions(form))
    return {first: str(score), topic: "1", why: text}


def test_a_reviewer_rates_an_answer_and_sees_others_afterwards(
    form: RatingForm, chat: Conversation, reviewer: User, second: User
) -> None:
    rate_as(second, form, chat, 5, "Ruth thinks so")
    rita, answer = with_reason(reviewer), answer_of(chat)
    place = f"/review/{chat.pk}/?at={answer}&form={form.pk}"
    before = rita.get(place).content.decode()
    assert "How good is it?" in before
    assert "Ruth thinks so" not in before
    missing = rita.post(f"/review/{chat.pk}/ratings/{form.pk}/", {"message": answer})
    assert missing.status_code == 422
    assert "Choose a score." in missing.content.decode()
    sent = answers_to(form, 4, "Rita agrees") | {"message": str(answer)}
    saved = rita.post(f"/review/{chat.pk}/ratings/{form.pk}/", sent)
    assert saved.headers["Location"] == f"{place}#rate"
    after = rita.get(place).content.decode()
    assert "Ruth thinks so" in after
    assert "Rita agrees" in after
    assert StaffRating.objects.filter(rater=reviewer.pk).count() == 1


def test_an_answer_of_another_chat_cant_be_rated_here(
    form: RatingForm, chat: Conversation, hers: Conversation, reviewer: User
) -> None:
    sent = answers_to(form, 4) | {"message": str(answer_of(hers))}
    refused = with_reason(reviewer).post(f"/review/{chat.pk}/ratings/{form.pk}/", sent)
    assert refused.status_code == 404


def test_nobody_rates_their_own_chat(form: RatingForm, chat: Conversation) -> None:
    alice = give(chat.owner, "lead_review", None)
    client = with_reason(alice)
    assert "How good is it?" not in client.get(f"/review/{chat.pk}/").content.decode()
    place = f"/review/{chat.pk}/ratings/{form.pk}/"
    refused = client.post(place, answers_to(form, 5), follow=True)
    assert "You can&#x27;t rate your own chats." in refused.content.decode()
    assert not StaffRating.objects.exists()


def test_a_lead_defines_a_form(lead: User) -> None:
    client = client_of(lead)
    refused = client.post("/review/rating-forms/new/", FORM | {"question1-labels": "School"})
    assert refused.status_code == 422
    assert "Enter more labels." in refused.content.decode()
    empty = {"reason": WHY, "name": "Empty", "questions": "1", "question0-kind": "five"}
    assert client.post("/review/rating-forms/new/", empty).status_code == 422
    assert client.post("/review/rating-forms/new/", FORM).status_code == 302
    form = RatingForm.objects.get()
    kind, topic = current_questions(form)
    assert (kind.text, kind.least_label, kind.labels) == ("Is it kind?", "rude", [])
    assert topic.labels == ["School", "Home"]


def test_a_reviewer_defines_no_forms_and_sees_no_figures(form: RatingForm, reviewer: User) -> None:
    client = with_reason(reviewer)
    for path in ("new/", f"{form.pk}/", f"{form.pk}/questions/", f"{form.pk}/ratings.csv"):
        assert client.get(f"/review/rating-forms/{path}").status_code == 404, path


def test_a_lead_draws_a_sample_of_a_saved_search(
    form: RatingForm, chat: Conversation, lead: User, reviewer: User
) -> None:
    good = SavedSearch.objects.create(owner=lead, name="Complete", query="state=complete")
    words = SavedSearch.objects.create(owner=lead, name="Moon", query="q=moon")
    client = with_reason(lead)
    sent = {
        "reason": WHY,
        "unit": "answers",
        "period": "day",
        "percent": "5",
        "raters": [reviewer.pk],
        "search": words.pk,
    }
    place = f"/review/rating-forms/{form.pk}/samples/"
    refused = client.post(f"{place}new/", sent)
    assert "from a search with keywords" in refused.content.decode()
    both = client.post(f"{place}new/", sent | {"search": good.pk, "count": "3"})
    assert "either a percentage or a number" in both.content.decode()
    assert client.post(f"{place}new/", sent | {"search": good.pk}).status_code == 302
    sample = RatingSample.objects.get()
    assert (sample.facets, sample.search_name) == ({"state": "complete"}, "Complete")
    client.post(f"{place}{sample.pk}/", sent | {"search": "kept", "percent": "7"})
    sample.refresh_from_db()
    assert (sample.facets, sample.percent) == ({"state": "complete"}, 7.0)
    client.post(f"{place}{sample.pk}/draws/")
    assert SampleDraw.objects.get().population == 0  # the chat is of today
    assert "0 of 0 drawn" in client.get(f"/review/rating-forms/{form.pk}/").content.decode()


def test_tasks_are_listed_with_recorded_titles(
    form: RatingForm, chat: Conversation, lead: User, reviewer: User
) -> None:
    draw = SampleDraw.objects.create(
        sample=RatingSample.objects.create(form=form, count=1),
        first="2026-11-27",
        last="2026-11-27",
        seed="a",
        population=1,
        available=1,
        picked=1,
    )
    RatingTask.objects.create(form=form, draw=draw, conversation=chat, message=answer_of(chat))
    rita = with_reason(reviewer)
    assert chat.title not in rita.get("/review/ratings/").content.decode()
    assert chat.title in rita.get("/review/ratings/?whose=unassigned").content.decode()
    entry = AccessLogEntry.objects.get(kind="listed", conversation=chat.pk)
    assert entry.reader == reviewer.pk
    following = rita.post("/review/ratings/next/")
    place = following.headers["Location"]
    assert place == f"/review/{chat.pk}/?at={answer_of(chat)}&form={form.pk}#rate"
    sent = answers_to(form, 4) | {"message": str(answer_of(chat)), "next": "1"}
    rita.post(f"/review/{chat.pk}/ratings/{form.pk}/", sent)
    assert RatingTask.objects.get().assignee == reviewer
    assert rita.post("/review/ratings/next/").headers["Location"] == "/review/ratings/"


def test_figures_show_no_texts_and_no_chats(
    form: RatingForm, chat: Conversation, reviewer: User, second: User, bob: User
) -> None:
    rate_as(reviewer, form, chat, 2, "Secret words")
    rate_as(second, form, chat, 4)
    fay = client_of(give(bob, "view_figures"))
    shown = fay.get(f"/review/rating-forms/{form.pk}/").content.decode()
    assert "Mean score: <b><bdi>3.00</bdi></b>" in shown
    assert "Cohen’s κ" in shown
    for hidden in ("Secret words", str(chat.pk), chat.title, "Rita", "Ruth", "Export", "Samples"):
        assert hidden not in shown, hidden


def test_undefined_agreement_is_said_in_words(
    form: RatingForm, chat: Conversation, reviewer: User, second: User, lead: User
) -> None:
    place = f"/review/rating-forms/{form.pk}/"
    client = with_reason(lead)
    rate_as(reviewer, form, chat, 3)
    assert "No second ratings yet" in client.get(place).content.decode()
    rate_as(second, form, chat, 3)
    assert "Not defined: all ratings are the same" in client.get(place).content.decode()


def test_a_disagreement_is_decided_from_its_list(
    form: RatingForm, chat: Conversation, reviewer: User, second: User, lead: User
) -> None:
    rate_as(reviewer, form, chat, 2)
    rate_as(second, form, chat, 4, "Rather good")
    client = with_reason(lead)
    listed = client.get(f"/review/rating-forms/{form.pk}/disagreements/").content.decode()
    place = f"/review/{chat.pk}/?at={answer_of(chat)}&amp;form={form.pk}&amp;decide=1#rate"
    assert place in listed
    shown = client.get(place.replace("&amp;", "&").removesuffix("#rate")).content.decode()
    assert "Rather good" in shown
    sent = answers_to(form, 3) | {"message": str(answer_of(chat)), "decision": "1"}
    client.post(f"/review/{chat.pk}/ratings/{form.pk}/", sent)
    assert StaffRating.objects.get(is_decision=True).rater == lead.pk
    listed = client.get(f"/review/rating-forms/{form.pk}/disagreements/").content.decode()
    assert "No disagreements." in listed


def test_exports_are_on_record_and_have_texts_only_on_request(
    form: RatingForm, chat: Conversation, reviewer: User, lead: User
) -> None:
    rate_as(reviewer, form, chat, 2, "=Secret words", faults=(0, 2))
    rate_as(reviewer, form, chat, 3, faults=(1,))
    client = with_reason(lead)
    place = f"/review/rating-forms/{form.pk}/ratings."
    plain = content_of(client.get(f"{place}csv")).decode()
    assert "Secret words" not in plain
    assert "Wrong, Long" in plain
    assert AccessLogEntry.objects.get(kind="exported").detail == f"ratings-{form.pk}.csv"
    rows = [json.loads(each) for each in content_of(client.get(f"{place}jsonl")).splitlines()]
    assert [each["is_latest"] for each in rows] == [False, True]
    assert rows[0]["chat"] == str(chat.pk)
    assert rows[0]["answers"][0]["answer"] == 2
    assert not AccessLogEntry.objects.filter(kind="exported", conversation=chat.pk).exists()
    with_text = content_of(client.get(f"{place}csv?text=1")).decode()
    assert "'=Secret words" in with_text  # no formula of a spreadsheet
    entry = AccessLogEntry.objects.get(kind="exported", conversation=chat.pk)
    assert (entry.reader, entry.owner) == (lead.pk, chat.owner_id)
