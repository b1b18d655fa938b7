"""A group is deleted with its rules: they are named before, and logged."""

import pytest
from django.contrib.auth.models import Group
from django.test import Client

from chat.accounts.actor import SERVER
from chat.accounts.models import User
from chat.errors import Conflict
from chat.review.access_log.staff_actions import StaffAction
from chat.review.case_models import Case, Flag, Rule
from chat.review.cases import rules, withdrawal
from chat.review.members import groups
from chat.review.moderation import content
from chat.widget_sites.models import WidgetSite
from tests.review.conftest import only_message, say, staff_context_of
from tests.support.review.member_pages import text_of


def rule_about(group: Group, **about: object) -> Rule:
    return Rule.objects.create(
        **{"name": "Self-harm", "kind": "words", "text": "river", "members": group, **about}
    )


def logged() -> list[tuple[int, str]]:
    kept = StaffAction.objects.filter(kind="rules_changed").order_by("id")
    return list(kept.values_list("actor", "detail"))


def test_each_rule_that_goes_with_a_group_is_named_before_and_logged(
    administrator: User, admin_browser: Client, pupils: Group
) -> None:
    rule_about(pupils)
    rule_about(pupils, name="Names")
    page = text_of(admin_browser, f"/review/groups/{pupils.pk}/")
    assert "These rules are deleted with it: Names, Self-harm." in page
    admin_browser.post(f"/review/groups/{pupils.pk}/deletion/")
    assert not Rule.objects.exists()
    assert sorted(logged()) == [(administrator.pk, "Names"), (administrator.pk, "Self-harm")]


def test_a_rule_that_goes_with_a_website_is_logged(bob: User) -> None:
    site = WidgetSite.objects.create(owner=bob, name="Shop of tides")
    Rule.objects.create(name="Prices", kind="words", text="river", site=site)
    site.delete()
    assert logged() == [(SERVER, "Prices")]


def test_a_rule_that_is_deleted_by_itself_is_logged_once(lead: User, pupils: Group) -> None:
    rules.remove_rule(staff_context_of(lead), rule_about(pupils).pk)
    assert logged() == [(lead.pk, "Self-harm")]


def test_a_group_stays_until_its_rule_is_withdrawn(
    administrator: User, admin_browser: Client, pupils: Group, alice: User
) -> None:
    context = staff_context_of(administrator)
    message = only_message(say(alice, "A harmless river", "Water"))
    rule = rule_about(pupils, action=Rule.Action.HIDE)
    case = Case.objects.create(conversation=message.conversation)
    Flag.objects.create(case=case, source=Flag.Source.RULE, rule=rule, message=message.pk)
    content.hide_by_rule(message, rule.name)
    withdrawal.start(context, rule.pk)
    with pytest.raises(Conflict):
        groups.remove(context, pupils)
    path = f"/review/groups/{pupils.pk}/"
    admin_browser.post(f"{path}deletion/")
    assert "The rule “Self-harm” is still being withdrawn." in text_of(admin_browser, path)
    while withdrawal.run_withdrawal():
        pass
    message.refresh_from_db()
    assert message.hidden_at is None
    admin_browser.post(f"{path}deletion/")
    assert not Group.objects.filter(pk=pupils.pk).exists()
