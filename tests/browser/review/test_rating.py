"""Two reviewers rate the same answer beside its transcript, by keyboard, and talk about it."""

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.conftest import sign_in
from tests.browser.server import LiveSite
from tests.support.browser.accessibility import BARE, axe

MAKE = """
from django.contrib.auth.models import Permission
from chat.accounts.models import User
from chat.conversations.models import Conversation
from chat.generations.models import Generation
from chat.review.models import ReviewScope
from chat.review.rating_models import RatingForm, RatingQuestion
for name in ("rosalind", "ruben"):
    user = User.objects.get(email=f"{name}@example.org")
    user.name = name.title()
    user.save()
    user.user_permissions.add(Permission.objects.get(codename="lead_review"))
    ReviewScope.objects.create(reviewer=user)
member = User.objects.create_user("ratna@example.org", "tide table")
chat = Conversation.objects.create(owner=member, title="Do otters hold hands?")
asked = chat.messages.create(role="user", text="Do otters hold hands?")
answer = chat.messages.create(parent=asked, role="assistant", text="Yes, while they sleep.")
Generation.objects.create(
    owner=member, message=answer, send_key="otters", send_digest="x", state="complete", model="m"
)
form = RatingForm.objects.create(name="Otter quality", model="m")
RatingQuestion.objects.create(form=form, position=0, text="How good?", kind="five",
    least_label="bad", most_label="good")
RatingQuestion.objects.create(form=form, position=1, text="Why?", kind="text")
print(chat.pk, form.pk)
"""


def test_reviewers_rate_independently_and_discuss(
    open_page: Callable[..., Page], site: LiveSite
) -> None:
    rosa, ruben = (sign_in(site, f"{name}@example.org") for name in ("rosalind", "ruben"))
    chat, form = site.run(MAKE).split()
    place = f"/review/{chat}/"
    first, second = (open_page(place, storage_state=each, **BARE) for each in (rosa, ruben))
    for page, score, words in ((first, "2", "Too short"), (second, "4", "To the point")):
        page.get_by_label("Reason for access").fill("Quality of this week")
        page.get_by_role("button", name="Continue").click()
        page.get_by_role("link", name="Rate", exact=True).press("Enter")
        page.get_by_role("radio", name=score).press("Space")
        page.get_by_label("Why?").fill(words)
        expect(page.get_by_text("Ratings of others are shown after")).to_be_visible()
        assert axe(page) == []
        page.get_by_role("button", name="Save rating").press("Enter")
        expect(page.get_by_role("radio", name=score)).to_be_checked()
    expect(second.get_by_text("Too short")).to_be_visible()
    assert axe(second) == []
    second.goto(f"/review/rating-forms/{form}/")
    expect(second.get_by_role("link", name="1 disagreement")).to_be_visible()
    assert axe(second) == []
    second.goto(place)
    note = second.get_by_role("textbox", name="Note")
    note.fill("What do you say, @Ro")
    second.keyboard.press("Tab")
    expect(note).to_have_value("What do you say, @Rosalind ")
    second.keyboard.press("Control+Enter")
    expect(second.get_by_text("Notified: Rosalind.")).to_be_visible()
    first.goto(place)
    first.locator("summary", has_text="Reply").press("Enter")
    first.get_by_role("textbox", name="Reply").fill("I was in a hurry")
    first.keyboard.press("Control+Enter")
    expect(first.locator(".note[data-reply]")).to_contain_text("I was in a hurry")
    assert axe(first) == []
    first.get_by_role("button", name="Mark as resolved").press("Enter")
    expect(first.get_by_text("Resolved by Rosalind")).to_be_visible()
