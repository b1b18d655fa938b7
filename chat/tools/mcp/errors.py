"""What can be wrong with an MCP server. Models read it in English; pages have their own words."""

from collections.abc import Mapping
from typing import Literal

Reason = Literal[
    "refused_address",
    "unreachable",
    "timeout",
    "redirect",
    "unauthorized",
    "status",
    "garbage",
    "too_long",
    "flood",
    "closed",
    "version",
    "error",
    "no_sign_in",
    "no_pkce",
    "no_client",
    "sign_in",
    "no_program",
    "asks",
]
WORDS: Mapping[Reason, str] = {
    "refused_address": "This site isn't allowed to connect to the tool's server.",
    "unreachable": "The tool's server can't be reached.",
    "timeout": "The tool's server didn't answer in time.",
    "redirect": "The tool's server redirects to another address, which isn't followed.",
    "unauthorized": "The tool's server doesn't accept this site's token or sign-in.",
    "status": "The tool's server answered with an error.",
    "garbage": "The tool's server gave no valid answer.",
    "too_long": "The tool's server gave an answer that is too long.",
    "flood": "The tool's server sent too many messages.",
    "closed": "The tool's server closed the connection before it had answered.",
    "version": "The tool's server speaks an unknown version of the protocol.",
    "error": "The tool's server refused the call.",
    "no_sign_in": "The tool's server doesn't say how to sign in.",
    "no_pkce": "The tool's server has no safe sign-in.",
    "no_client": "The tool's server doesn't know this site.",
    "sign_in": "This site couldn't sign in to the tool's server.",
    "no_program": "The tool's program isn't one that this site starts.",
    "asks": "The tool's server asks for something else first, which this site can't give it.",
}
#: Such a server wasn't reached, so nothing was done there.
NOT_REACHED: frozenset[Reason] = frozenset({"refused_address", "unreachable", "no_program"})


class McpError(Exception):
    """A server didn't answer as it should. `detail` is what it said, in one line.

    `code` is the protocol's, if the server gave one.
    """

    def __init__(self, reason: Reason, detail: str = "", code: int = 0) -> None:
        super().__init__(reason)
        self.reason: Reason = reason
        self.detail = detail
        self.code = code

    @property
    def words(self) -> str:
        return WORDS[self.reason]
