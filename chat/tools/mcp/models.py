"""Define the servers whose tools models may call, and these tools."""

from django.contrib.auth.models import Group
from django.db import models
from django.utils import timezone

NAME_LENGTH = 60
#: Short, so that a persona's list of tools has room for all servers.
SLUG_LENGTH = 16
ADDRESS_LENGTH = 300
#: Begins the address of a server that is a program; its name follows.
PROGRAM = "program:"
TOOL_NAME_LENGTH = 128
#: What providers accept as the name of a function.
FUNCTION_LENGTH = 64


class McpServer(models.Model):
    """A server that an administrator has connected, for all members or those of some groups.

    If these groups are deleted, it is for nobody until an administrator decides anew.
    `slug` is part of the names of its tools, and never changes. `secret` are its headers,
    encrypted: see `secrets.py`. Triggers change the version of the configuration with each row.
    """

    name = models.CharField(max_length=NAME_LENGTH)
    slug = models.CharField(max_length=SLUG_LENGTH, unique=True)
    address = models.CharField(max_length=ADDRESS_LENGTH)
    secret = models.TextField(blank=True, default="", db_default="")
    is_enabled = models.BooleanField(default=True, db_default=True)
    for_everybody = models.BooleanField(default=True, db_default=True)
    groups = models.ManyToManyField(Group, blank=True, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)
    updated_at = models.DateTimeField(default=timezone.now)
    listed_at = models.DateTimeField(null=True, blank=True)  # when its tools were last listed

    class Meta:
        ordering = ("name", "id")

    def __str__(self) -> str:
        return f"MCP server {self.pk}"

    @property
    def is_program(self) -> bool:
        """Return whether it is a program of this machine, which the environment names."""
        return self.address.startswith(PROGRAM)


class McpSignIn(models.Model):
    """A sign-in to a server, for the whole site. Its `grant` and `pending` are encrypted.

    `grant` is what the server's authorization server has issued, and `pending` a sign-in that has
    begun. A process that renews the token has `renewed_until` to do so.
    """

    server = models.OneToOneField(McpServer, on_delete=models.CASCADE, related_name="sign_in")
    grant = models.TextField(blank=True, default="", db_default="")
    pending = models.TextField(blank=True, default="", db_default="")
    renewed_until = models.DateTimeField(null=True, blank=True)
    signed_in_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"sign-in to MCP server {self.server_id}"


class McpTool(models.Model):
    """A tool as its server described it last. `digest` identifies that description.

    It is enabled only while the description is the one that an administrator has looked at, which
    the `seen` fields have: any other switches it off.
    """

    server = models.ForeignKey(McpServer, on_delete=models.CASCADE, related_name="tools")
    name = models.CharField(max_length=TOOL_NAME_LENGTH)
    function = models.CharField(max_length=FUNCTION_LENGTH, unique=True)  # its name for models
    description = models.TextField(blank=True)
    schema = models.JSONField()
    says_read_only = models.BooleanField(default=False, db_default=False)  # only a hint
    digest = models.CharField(max_length=64)
    is_listed = models.BooleanField(default=True, db_default=True)
    is_enabled = models.BooleanField(default=False, db_default=False)
    asks_first = models.BooleanField(default=True, db_default=True)
    seen_digest = models.CharField(max_length=64, blank=True, default="", db_default="")
    seen_description = models.TextField(blank=True, default="", db_default="")
    seen_schema = models.JSONField(null=True, blank=True)

    class Meta:
        ordering = ("name", "id")
        constraints = [
            models.UniqueConstraint(fields=["server", "name"], name="one_mcp_tool_per_name")
        ]

    def __str__(self) -> str:
        return f"{self.function} of {self.server_id}"
