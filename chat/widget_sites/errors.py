"""Define errors for visitors of a website."""

from django.utils.translation import gettext_lazy as _

from chat.errors import ChatError, ErrorReader, Forbidden, NotAuthenticated


class TokenExpired(NotAuthenticated):
    code = "token_expired"
    text = _("This chat session has expired. Open the chat again.")
    keeps_draft = True


class ConsentRequired(Forbidden):
    code = "consent_required"
    text = _("Accept the notice above first.")
    keeps_draft = True


class FilesNotAccepted(Forbidden):
    code = "files_not_accepted"
    text = _("Files can't be added in this chat.")


class InvalidIdentityToken(Forbidden):
    """The website's statement about its user was refused. `reason` is for its developers."""

    code = "invalid_identity_token"
    text = _("The website couldn't confirm who you are. The chat continues without your name.")

    def __init__(self, *, reason: str) -> None:
        super().__init__(detail=reason)
        self.reason = reason

    def as_dict(self, reader: ErrorReader = ErrorReader.MEMBER) -> dict[str, object]:
        return super().as_dict(reader) | {"reason": self.reason}


class ChallengeRequired(Forbidden):
    code = "challenge_required"
    text = _("Confirm that you're human first.")
    keeps_draft = True


class ChallengeUnavailable(ChatError):
    code, status = "challenge_unavailable", 503
    text = _("The human check isn't available right now. Try again in a moment.")
    retryable = True
