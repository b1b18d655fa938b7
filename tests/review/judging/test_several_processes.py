"""Processes that check the same messages have each of them judged once."""

from typing import Any

import pytest
from asgiref.sync import sync_to_async

from chat.accounts.models import User
from chat.quotas.models import Charge
from chat.review.case_models import Flag
from chat.review.cases import rule_runner
from chat.review.verdict_models import MessageVerdict
from tests.review.conftest import say
from tests.support.review.judging import amake_rule, judge_new


async def test_processes_that_check_the_same_messages_have_them_judged_once(
    alice: User, stop_server_process: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    await amake_rule()
    await sync_to_async(say)(alice, "Hello?", "I will kill you")
    check = rule_runner.check

    def check_beside_another_process(*given: Any) -> set[str]:
        monkeypatch.setattr(rule_runner, "check", check)
        rule_runner.check_new()
        return check(*given)

    monkeypatch.setattr(rule_runner, "check", check_beside_another_process)
    await judge_new()
    assert await MessageVerdict.objects.acount() == 2
    assert await Charge.objects.acount() == 2
    assert await Flag.objects.acount() == 1
