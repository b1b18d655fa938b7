"""A script for the site's shell that writes attacks into every field that users can fill.

It is formatted with `attacks`, a JSON list of texts, and prints what it has made.
"""

WRITE = """
import json
from datetime import timedelta
from django.contrib.auth.models import Group, Permission
from django.db import transaction
from django.utils import timezone
from chat.accounts.models import User
from chat.conversations.models import Conversation, Rating
from chat.personas.models import Persona
from chat.quotas.models import Charge
from chat.generations.models import Generation
from chat.review.access_log import staff_actions
from chat.review.cases import flags
from chat.review.staff import roles
from chat.review.access_log.staff_context import StaffContext
from chat.review.case_models import Flag, Rule
from chat.review.analytics.rollup import close_days
from chat.review.models import AccessLogEntry, SavedSearch, StaffNote
from chat.review.moderation.warnings import ModerationWarning
from chat.review import rating_models as rated
from chat.data_requests.models import DataRequest
from chat.evaluation.models import (
    BlindVote, DatasetItem, EvaluationDataset, EvaluationRun, RunAnswer,
)
from chat.tools.mcp.models import McpServer
from chat.widget_sites import visitors
from chat.widget_sites.models import WidgetSite
attacks = json.loads({attacks!r})
zara = User.objects.get(email="zara@example.org")
zara.user_permissions.add(Permission.objects.get(codename="administer_review"))
zara.is_staff = zara.is_superuser = True
zara.name = attacks[0][:100]
zara.save()
zara = User.objects.get(pk=zara.pk)
staff_context = lambda reason: StaffContext(roles.reviewer_of(zara), reason)
made = []
for number, attack in enumerate(attacks):
    member = User.objects.create(email=f"mallory-{{number}}@example.org", name=attack[:100])
    group = Group.objects.create(name=(f"{{number}} " + attack)[:150])
    member.groups.add(group)
    site = WidgetSite.objects.create(
        owner=member, name=attack[:80], origins=["https://x.example"], welcome=attack,
        consent=attack, starters=[attack[:100]],
    )
    visitor = visitors.make(site, subject=f"{{number}}", name=attack[:100]).user
    Persona.objects.create(owner=member, name=attack[:60], description=attack[:200])
    rule = Rule.objects.create(
        name=attack[:60], kind="words", text=attack, members=group, site=site, is_enabled=False,
    )
    warning = ModerationWarning.objects.create(person=member, text=attack)
    view = SavedSearch.objects.create(
        owner=zara, name=f"{{number}} {{attack}}"[:60], query=attack[:300]
    )
    owner = visitor if number % 2 else member
    chat = Conversation.objects.create(owner=owner, title=attack[:120])
    question = chat.messages.create(role="user", text=attack)
    answer = chat.messages.create(
        parent=question, role="assistant", text=attack + "\\n\\nThe end of it.",
        reasoning=attack,
    )
    person = chat.messages.create(
        parent=answer, role="assistant", text=attack, author=zara.pk
    )
    generation = Generation.objects.create(
        owner=owner, message=answer, send_key=str(answer.pk), send_digest="x", state="failed",
        model=attack[:200], error_code=attack[:40], error_message=attack[:300],
        finish_reason=attack[:20], milliseconds=1200, first_token_milliseconds=90,
        completion_tokens=5, ended_at=timezone.now(),
    )
    Charge.objects.create(
        id=generation.pk, user=member, keys=["everyone", "site:" + site.key],
        model=attack[:200], prompt_tokens=1, created_at=timezone.now(),
        settled_at=timezone.now(), tokens=9, millineurons=9, microdollars=9,
    )
    Rating.objects.create(
        message=answer, user=owner, value=-1, reason="wrong", comment=attack[:500]
    )
    note = StaffNote.objects.create(conversation=chat, author=zara, text=attack)
    StaffNote.objects.create(conversation=chat, author=zara, text=attack, thread=note.pk)
    StaffNote.objects.filter(pk=note.pk).update(resolved_at=timezone.now(), resolved_by=zara)
    form = rated.RatingForm.objects.create(name=attack[:60], members=group.pk, site=site.pk)
    rated.RatingForm.objects.create(name=attack[:60], model=attack[:200])
    score, label, words = (
        rated.RatingQuestion.objects.create(
            form=form, position=position, text=attack[:200], kind=kind,
            least_label=attack[:60], most_label=attack[:60], labels=[attack[:60]],
        )
        for position, kind in enumerate(("five", "labels", "text"))
    )
    rating = rated.StaffRating.objects.create(
        form=form, rater=zara.pk, conversation=chat.pk, owner=owner.pk, site=site.pk,
        model=attack[:200], answers={{score.pk: 3, label.pk: [0]}},
    )
    rated.StaffRatingText.objects.create(
        conversation=chat, rating=rating.pk, question=words.pk, text=attack
    )
    sample = rated.RatingSample.objects.create(form=form, count=1, search_name=attack[:60])
    case = flags.report(chat.pk, answer, owner.pk, "harmful", attack[:500]).case
    Flag.objects.create(case=case, source=8, person=zara, comment=attack[:500])
    Flag.objects.create(
        case=case, source=4, rule=rule, comment=rule.name, message=question.pk
    )
    AccessLogEntry.objects.create(
        reader=zara.pk, owner=owner.pk, conversation=chat.pk, kind="read", reason=attack[:300]
    )
    with transaction.atomic():
        staff_actions.record_action(
            staff_context(attack[:300]), "hidden", person=owner.pk, conversation=chat.pk,
            detail=attack[:100],
        )
    server = McpServer.objects.create(
        name=attack[:60], slug=f"server{{number}}", address="http://127.0.0.1:9/mcp"
    )
    request = DataRequest.objects.create(
        person=member.pk, kind="copy", state="declined", reason=attack[:200],
        received_on=timezone.localdate(), due_on=timezone.localdate(), ended_at=timezone.now(),
    )
    dataset = EvaluationDataset.objects.create(name=attack[:80])
    item = DatasetItem.objects.create(
        dataset=dataset, answer=attack, expected=attack, answered_by=attack[:200],
        messages=[dict(role="system", content=attack), dict(role="user", content=attack)],
    )
    one, other = [
        EvaluationRun.objects.create(
            dataset=dataset, name=attack[:80], model=attack[:200], system_prompt=attack,
            max_tokens=9, state="done",
        )
        for _ in range(2)
    ]
    for number, run in enumerate((one, other)):
        RunAnswer.objects.create(
            run=run, item=item, text=f"{{number}} {{attack}}", judge_problem=attack[:40],
            probabilities={{attack: 0.9, "harmful": 0.1}},
        )
    BlindVote.objects.create(item=item, first=one, second=other, rater=member, choice="first")
    made.append({{
        "dataset_id": dataset.pk, "item_id": item.pk, "run_id": one.pk, "one": one.pk,
        "other": other.pk,
        "server_id": server.pk, "request_id": request.pk,
        "conversation_id": str(chat.pk), "generation_id": str(generation.pk),
        "user_id": member.pk, "group_id": group.pk, "rule_id": rule.pk,
        "case_id": case.pk, "note_id": note.pk, "warning_id": warning.pk,
        "form_id": form.pk, "sample_id": sample.pk,
        "message_id": question.pk, "view_id": view.pk, "invitation_id": 1, "name": "people",
        "kind": "csv", "person": owner.pk, "site": site.key,
    }})
close_days(60)
print(json.dumps(made))
"""
