"""The mail server refuses one of three people for now, is slow, and dies: each gets each notice."""

import asyncio
import json
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random
from time import monotonic

from tests.chaos.bench import Bench
from tests.chaos.outcome import Outcome
from tests.chaos.served import served
from tests.chaos.site import PATIENT
from tests.chaos.traffic import cut_answers, traffic
from tests.support.patience import PATIENCE_SECONDS
from tests.support.servers.mail_server import Mail, MailServer, running_mail_server
from tests.support.servers.nginx import certify
from tests.support.servers.served_site import ServedSite

HOST = "localhost"
SLOW_SECONDS = 1.5
#: A website whose team is three people, and notices to them; prints whom each mail is for.
NOTICES = """
import json, uuid
from django.db import transaction
from chat.accounts.models import User
from chat.inbox import notices
from chat.inbox.notice_delivery import MAIL
from chat.outbox.models import Delivery
from chat.widget_sites import team
from chat.widget_sites.models import SiteMember, WidgetSite
owner, *agents = User.objects.filter(email__in=%s).order_by("pk")
site = WidgetSite.objects.create(owner=owner, name="Shop", origins=["https://shop.example"])
for agent in agents:
    team.add_member(site, agent, SiteMember.Role.AGENT)
emails = {str(each.pk): each.email for each in (owner, *agents)}
with transaction.atomic():
    for _ in range(%d):
        notices.add(site, notices.Kind.RATED_BADLY, uuid.uuid4())
    rows = Delivery.objects.filter(kind=MAIL.name, group=str(site.pk))
    print(json.dumps({str(each.pk): emails[each.recipient] for each in rows}))
"""
#: How many are left, how many of them are not settled, and how many were given up.
LEFT = """
from django.utils import timezone
from chat.outbox.models import Delivery
rows = Delivery.objects.all()
due = rows.filter(due_at__lte=timezone.now()) | rows.filter(claimed_until__isnull=False)
print(rows.count(), due.count(), rows.filter(due_at=None, claimed_until=None).count())
"""
#: Let the minutes pass after which what failed is tried again.
MAKE_DUE = """
from django.utils import timezone
from chat.outbox.models import Delivery
Delivery.objects.filter(due_at__isnull=False).update(due_at=timezone.now())
"""
#: What the site says about mails that were not taken.
EXPECTED = (
    "SMTPRecipientsRefused",
    "OutcomeUnknown",
    "ConnectionRefused",
    "SMTPServerDisconnected",
)


async def run(bench: Bench, seed: int) -> Outcome:
    workers = 1 if bench.site.stores.kind == "sqlite" else 2
    with tempfile.TemporaryDirectory(prefix="runnel-mail-") as name:
        certify(Path(name), HOST)
        certificate = Path(name) / "site.pem"
        with running_mail_server(certificate) as server:
            settings = PATIENT | {
                "EMAIL_URL": f"smtp://{HOST}:{server.address[1]}",
                "SSL_CERT_FILE": str(certificate),
            }
            with served(bench, workers, **settings) as (site, there):
                return await _through(there, seed, site, server)


async def _through(bench: Bench, seed: int, site: ServedSite, server: MailServer) -> Outcome:
    chance, name = Random(seed), bench.new_run("mailed", seed)
    people = [f"person{number}@example.org" for number in range(3)]
    refused = chance.choice(people)
    server.replies[refused] = "451 4.7.1 try again later"
    server.pause_seconds = SLOW_SECONDS
    async with traffic(bench, chance, name, lambda: bench.site.first.url) as asked:
        wanted: dict[str, str] = json.loads(
            await asyncio.to_thread(site.run, NOTICES % (people, bench.size(6, 25)))
        )
        await _until(lambda: any(not mail.is_answered for mail in server.mails))
        await asyncio.sleep(chance.uniform(0, SLOW_SECONDS / 2))
        await asyncio.to_thread(server.die)
        await asyncio.sleep(chance.uniform(2, 5))
        await _settled(site)
        await asyncio.to_thread(server.start)
        for accepts in (False, True):
            if accepts:
                del server.replies[refused]
            await asyncio.to_thread(site.run, MAKE_DUE)
            left, given_up = await _settled(site)
    complaints = [
        each for each in bench.judged(name, asked) if not any(word in each for word in EXPECTED)
    ]
    complaints += cut_answers(asked) + _misdelivered(wanted, server.mails)
    if left or given_up:
        complaints.append(f"{left} mails are left, {given_up} of them were given up")
    twice = sum(number - 1 for number in Counter(mail.id for mail in server.mails).values())
    note = (
        f"{len(wanted)} mails; {server.tried.total() - len(server.mails)} not taken,"
        f" {sum(not mail.is_answered for mail in server.mails)} taken without an answer;"
        f" {len(asked)} sends meanwhile"
    )
    return Outcome(complaints, twice, "mails twice", [note])


def _misdelivered(wanted: dict[str, str], mails: list[Mail]) -> list[str]:
    """Return what is wrong: only what the server took without an answer may come once more."""
    found = []
    for key, recipient in wanted.items():
        its = [mail for mail in mails if key in mail.id]
        if {mail.recipient for mail in its} - {recipient}:
            found.append(f"a mail to {recipient} went to somebody else")
        unanswered = sum(not mail.is_answered for mail in its)
        if not its:
            found.append(f"{recipient} did not get a notice")
        elif len(its) > 1 + unanswered or len(its) > 2:
            found.append(f"{recipient} got a notice {len(its)} times, {unanswered} unanswered")
    return found


async def _settled(site: ServedSite) -> tuple[int, int]:
    """Wait until each mail was tried; return how many are left, and how many were given up."""
    left = given_up = 0

    def is_settled() -> bool:
        nonlocal left, given_up
        left, due, given_up = map(int, site.run(LEFT).split())
        return not due

    await _until(is_settled)
    return left, given_up


async def _until(is_so: Callable[[], bool]) -> None:
    give_up_at = monotonic() + PATIENCE_SECONDS
    while not await asyncio.to_thread(is_so):
        if monotonic() > give_up_at:
            raise RuntimeError("mails are not sent")
        await asyncio.sleep(0.1)
