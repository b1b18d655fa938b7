"""Rules by verdict, and checking messages as server processes do."""

from typing import Any

from asgiref.sync import sync_to_async

from chat.review.case_models import Rule
from chat.review.cases import rule_runner
from chat.review.judging import questions
from chat.review.judging.background import JUDGE
from tests.support.outbox import deliver

CLEF = "@cf/cloudflare/clef-flash"


def make_rule(action: str = "queue", category: str = "harmful", **more: Any) -> Rule:
    """Create a rule for what is harmful with at least 80 %, and let this process know it."""
    values = {"name": "Harm", "kind": "verdict", "threshold": 80, **more}
    rule = Rule.objects.create(action=action, category=category, **values)
    questions.refresh()
    return rule


amake_rule = sync_to_async(make_rule)


async def judge_new() -> None:
    """Check new messages, and judge those that rules need a verdict on."""
    while await sync_to_async(rule_runner.check_new)():
        pass
    await deliver(JUDGE)
