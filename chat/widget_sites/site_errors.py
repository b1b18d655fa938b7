"""What can go wrong for a visitor of a website, in the one tree of errors."""

from django.utils.translation import gettext_lazy as _

from chat.errors import ChatError, Forbidden, NotAuthenticated


class TokenEnded(NotAuthenticated):
    code = "token_ended"
    text = _("This chat has been open for too long. Open it again; your text is kept.")


class ConsentNeeded(Forbidden):
    code = "consent_needed"
    text = _("Agree first to what is written above; your text is kept.")


class IdentityRefused(Forbidden):
    """What a website's server said of its user. `reason` is for whoever writes that server."""

    code = "identity_refused"
    text = _("The website could not say who you are. The chat goes on without a name.")

    def __init__(self, *, reason: str) -> None:
        super().__init__(detail=reason)
        self.reason = reason

    def as_dict(self) -> dict[str, object]:
        return super().as_dict() | {"reason": self.reason}


class ChallengeNeeded(Forbidden):
    code = "challenge_needed"
    text = _("Show first that you are a person; your text is kept.")


class ChallengeUnavailable(ChatError):
    code, status = "challenge_unavailable", 503
    text = _("Whether you are a person cannot be asked right now. Try again in a moment.")
    retryable = True
