"""Define the form that connects an MCP server."""

import re
from typing import Any

from django import forms
from django.conf import settings
from django.contrib.auth.models import Group
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from chat.lib.text import clean
from chat.review.site_setup.tool_servers import MAX_SERVERS, ServerValues
from chat.site_settings.provider_address import MAX_LENGTH, checked_address
from chat.tools.mcp.models import NAME_LENGTH, PROGRAM, McpServer
from chat.tools.mcp.sign_in.grants import OAuthClient
from chat.tools.mcp.sign_in.token_requests import MAX_CLIENT_CHARS
from chat.web.http.form_fields import LineField, SeveralField
from chat.web.review.site_settings.provider_form import TokenField

MAX_HEADERS = 10
MAX_HEADERS_CHARS = 4000
HEADER = re.compile(r"([A-Za-z0-9-]{1,60})[ ]{0,9}:[ ]{0,9}([!-~][ -~]{0,999})")
#: The client sends these itself, or they would change what is sent.
OURS = frozenset(
    {
        "accept", "accept-encoding", "authorization", "connection", "content-length",
        "content-type", "cookie", "expect", "host", "last-event-id", "mcp-protocol-version",
        "mcp-session-id", "te", "trailer", "transfer-encoding", "upgrade", "user-agent",
    }
)  # fmt: skip


class SecretLines(forms.Textarea):
    """Several lines that are never written into a page, like a password."""

    def format_value(self, value: Any) -> str:
        return ""


class ToolServerForm(forms.Form):
    """Connect a server. Its token and headers are never shown.

    They are kept if both fields are blank, but only for the address that they were entered for:
    otherwise somebody could have them sent to a server of their own.
    """

    name = LineField(
        most=NAME_LENGTH,
        label=gettext_lazy("Name"),
        help_text=gettext_lazy("What members read in the tools menu."),
    )
    address = LineField(
        most=MAX_LENGTH,
        label=gettext_lazy("Address"),
        help_text=gettext_lazy("For example: https://tools.example.org/mcp"),
    )
    token = TokenField(required=False, label=gettext_lazy("Token"))
    headers = forms.CharField(
        max_length=MAX_HEADERS_CHARS,
        required=False,
        widget=SecretLines(attrs={"rows": 2, "dir": "ltr", "autocomplete": "off"}),
        label=gettext_lazy("Other headers"),
        help_text=gettext_lazy("One per line, such as X-Api-Key: secret."),
    )
    removes_headers = forms.BooleanField(
        required=False, label=gettext_lazy("Remove the stored token and headers")
    )
    is_enabled = forms.BooleanField(required=False, label=gettext_lazy("Members can use its tools"))
    groups = SeveralField(
        label=gettext_lazy("Only for these groups"),
        queryset=Group.objects.order_by("name"),
        widget=forms.CheckboxSelectMultiple,
        required=False,
        help_text=gettext_lazy("Leave blank for everyone."),
    )

    def __init__(self, sent: Any, stored: McpServer | None) -> None:
        self.stored = stored
        initial: dict[str, Any] = {"is_enabled": True}
        if stored:
            initial = {"name": stored.name, "address": stored.address}
            initial |= {"is_enabled": stored.is_enabled, "groups": stored.groups.all()}
        super().__init__(sent, initial=initial)
        if settings.TOOL_PROGRAMS:
            words = _("For example: https://tools.example.org/mcp, or a program: {names}")
            names = ", ".join(f"{PROGRAM}{each}" for each in settings.TOOL_PROGRAMS)
            self.fields["address"].help_text = words.format(names=names)
        if not Group.objects.exists():
            del self.fields["groups"]
        self.is_for_nobody = bool(
            stored and not stored.for_everybody and not stored.groups.exists()
        )
        if stored and stored.secret:
            self.fields["token"].help_text = _(
                "A token or headers are stored. Leave both blank to keep them."
            )
        else:
            del self.fields["removes_headers"]

    def clean_address(self) -> str:
        address: str = self.cleaned_data["address"].strip()
        if not address.startswith(PROGRAM):
            return checked_address(address)
        if address.removeprefix(PROGRAM) not in settings.TOOL_PROGRAMS:
            raise ValidationError(
                _("The site's environment has no program with this name (TOOL_PROGRAMS).")
            )
        return address

    def clean_headers(self) -> dict[str, str]:
        lines = [
            line.strip()
            for line in clean(self.cleaned_data["headers"]).splitlines()
            if line.strip()
        ]
        if len(lines) > MAX_HEADERS:
            raise ValidationError(_("Enter at most {most} lines.").format(most=MAX_HEADERS))
        headers = {}
        for line in lines:
            match = HEADER.fullmatch(line)
            if not match:
                raise ValidationError(_("Enter a name, a colon and a value on each line."))
            if match[1].lower() in OURS:
                words = _("{name} can't be set here.")
                raise ValidationError(words.format(name=match[1]))
            headers[match[1]] = match[2].strip()
        return headers

    def clean(self) -> dict[str, Any]:
        values = super().clean() or {}
        if self.stored is None and McpServer.objects.count() >= MAX_SERVERS:
            words = _("You've reached the limit of {most}. Delete one first.")
            raise ValidationError(words.format(most=MAX_SERVERS))
        return values

    def values(self) -> ServerValues:
        data = self.cleaned_data
        headers: dict[str, str] | None = dict(data["headers"])
        if data["token"]:
            headers = {**data["headers"], "Authorization": f"Bearer {data['token']}"}
        if not headers and not data.get("removes_headers"):
            headers = None
        return ServerValues(
            name=data["name"],
            address=data["address"],
            is_enabled=data["is_enabled"],
            groups=list(data.get("groups", ())),
            headers=headers,
        )


class SignInForm(forms.Form):
    """Sign in to a server, as the client that this site is there if it has been registered."""

    client_id = LineField(
        most=MAX_CLIENT_CHARS,
        required=False,
        label=gettext_lazy("Client ID"),
        help_text=gettext_lazy("Leave blank if the server registers this site by itself."),
    )
    client_secret = forms.CharField(
        max_length=MAX_CLIENT_CHARS,
        required=False,
        strip=True,
        label=gettext_lazy("Client secret"),
        widget=forms.PasswordInput(attrs={"autocomplete": "off"}),
    )

    def clean_client_secret(self) -> str:
        secret = clean(self.cleaned_data["client_secret"])
        if secret and not self.cleaned_data.get("client_id"):
            raise ValidationError(_("Enter the client ID, too."))
        return secret

    def client(self) -> OAuthClient | None:
        """Return the client that was entered."""
        data = self.cleaned_data
        if not data["client_id"]:
            return None
        return OAuthClient(data["client_id"], data["client_secret"], is_entered=True)
