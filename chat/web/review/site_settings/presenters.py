"""Put the checklist and the result of a trial into words."""

from dataclasses import dataclass, field

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from chat.errors import (
    AllocationExhausted,
    CreditExhausted,
    ModelRemoved,
    NotConfigured,
    UpstreamBusy,
    UpstreamDisconnected,
    UpstreamError,
    UpstreamTimeout,
    UpstreamUnreachable,
)
from chat.lib.number_format import format_number
from chat.review.site_setup import checklist
from chat.review.site_setup.checklist import Step
from chat.site_settings import accent, effective
from chat.upstream.connection_check import Trial

MIN_SECONDS = 0.1  # shown for a faster answer


@dataclass(frozen=True, slots=True)
class StepOut:
    """A step as the page shows it."""

    name: str
    title: str
    text: str
    url: str
    is_done: bool
    is_marked: bool


@dataclass(frozen=True, slots=True)
class TrialOut:
    """The result of a trial: one line, what the model wrote, and more to know."""

    is_ok: bool
    title: str
    answer: str = ""
    notes: list[str] = field(default_factory=list)


def shown_steps(steps: list[Step]) -> list[StepOut]:
    return [_step(each) for each in steps]


def _step(step: Step) -> StepOut:
    if step.name == "model" and checklist.needs_models():
        words = _("The provider is connected. Choose which of its models members can use.")
        url = reverse("review_provider_models")
        return StepOut(step.name, _("Connect a model"), words, url, step.is_done, step.is_marked)
    title, text, url = {
        "model": (
            _("Connect a model"),
            _("Until then, an emulator answers that doesn't understand questions."),
            reverse("review_provider"),
        ),
        "look": (
            _("Name, logo and color"),
            _("What people see on every page and in emails."),
            reverse("review_brand"),
        ),
        "sign_up": (
            _("Decide who can sign up"),
            _("Everyone, people with certain email domains, or only people you invite."),
            reverse("review_sign_up"),
        ),
        "links": (
            _("Link your terms and privacy policy"),
            _("Shown where people sign up and sign in."),
            reverse("review_sign_up"),
        ),
        "limits": (
            _("Set limits"),
            _("How much each member and the whole site may use."),
            reverse("review_quotas", args=["all", "site"]),
        ),
        "starters": (
            _("Write example questions"),
            _("They show people in an empty chat what they can ask."),
            reverse("review_welcome"),
        ),
        "people": (
            _("Invite people"),
            _("By email, or with links that you send yourself."),
            reverse("review_invitations"),
        ),
        "duty": (
            _("Decide who handles serious reports"),
            _("Lead reviewers are notified of them. Until you have one, administrators are."),
            reverse("review_notifications"),
        ),
    }[step.name]
    return StepOut(step.name, title, text, url, step.is_done, step.is_marked)


def shown_trial(trial: Trial) -> TrialOut:
    if trial.error:
        words = _error_words(trial.error)
        if trial.is_address_refused:
            words = _(
                "This site isn't allowed to connect to this address because it leads to a private "
                "network. To allow it, set PRIVATE_PROVIDERS=yes."
            )
        details = _("Details: {details}").format(details=trial.error.detail)
        return TrialOut(False, words, notes=[details] if trial.error.detail else [])
    seconds = format_number(max(round(trial.seconds, 1), MIN_SECONDS))
    title = _("{model} answered in {seconds} s.").format(model=trial.model, seconds=seconds)
    if not trial.answer:
        return TrialOut(False, _("{model} returned an empty answer.").format(model=trial.model))
    notes = []
    if trial.listed:
        words = ngettext(
            "The server has {count} model.", "The server has {count} models.", trial.listed
        )
        notes.append(words.format(count=format_number(trial.listed)))
    if trial.has_other_models:
        notes.append(_("After saving, choose which of them members can use."))
    return TrialOut(True, title, trial.answer, notes)


def _error_words(error: UpstreamError) -> str:
    """Return what is wrong, and what to do, in the words of somebody who can change it."""
    words = (
        (NotConfigured, _("The provider rejected the account ID or the token. Check both.")),
        (ModelRemoved, _("The provider doesn't know this address or model. Check the address.")),
        (AllocationExhausted, _("The account works, but today's free allocation is used up.")),
        (CreditExhausted, _("The account works, but it has no credit left.")),
        (UpstreamUnreachable, _("The server can't be reached. Check the address.")),
        (UpstreamTimeout, _("The server didn't answer in time.")),
        (
            UpstreamDisconnected,
            _("The server sent an unexpected response. Check the address and the provider."),
        ),
        (UpstreamBusy, _("The account works, but the provider is busy. Try again in a moment.")),
    )
    return next((text for kind, text in words if isinstance(error, kind)), error.public)


def color_note() -> str:
    """Return how the accent colour was corrected; empty if it wasn't."""
    color = effective.accent_color()
    if not color or not accent.is_corrected(color):
        return ""
    words = _(
        "So that text stays readable, {color} appears as {light} on light pages and {dark} on "
        "dark ones."
    )
    light, dark = accent.light(color).base, accent.dark(color).base
    return words.format(color=color, light=light, dark=dark)


def usual_reason() -> str:
    """Return what the field for the reason has before the site is set up."""
    return "" if effective.is_checklist_hidden() else _("Setting up the site")
