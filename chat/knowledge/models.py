"""Collections of documents, which belong to a member or to the site, like personas.

Personas, projects and websites choose collections. A collection is searched only for a member who
may use it; for the visitors of a website, it is its owner who must.
"""

import uuid
from typing import Any

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from chat.accounts.models import User
from chat.personas.models import Persona, Shareable
from chat.projects.models import Project
from chat.widget_sites.models import WidgetSite

MAX_COLLECTIONS = 100  # of one member
MAX_DOCUMENTS = 2000  # in one collection
DOCUMENT_NAME_LENGTH = 200
ADDRESS_LENGTH = 2000
WEB = ("https://", "http://")
#: How much of a document's text is read: about 1,000 pages.
MAX_DOCUMENT_CHARS = 3_000_000


class Collection(Shareable):
    """Documents that answers can be based on."""

    description = models.CharField(max_length=200, blank=True)
    # Counts the changes of its documents, so that each process notices that its copy is old.
    version = models.PositiveBigIntegerField(default=0, editable=False)
    personas = models.ManyToManyField(Persona, blank=True, related_name="collections")
    projects = models.ManyToManyField(Project, blank=True, related_name="collections")
    # Their visitors get answers from it.
    sites = models.ManyToManyField(WidgetSite, blank=True, related_name="collections")
    # Only their teams get help from it.
    team_sites = models.ManyToManyField(WidgetSite, blank=True, related_name="team_collections")
    # If set, it has what this website says about itself: its pages, and answers that its team
    # wrote. It belongs to the website's owner, is kept by the website's pages, and is in no list.
    website = models.OneToOneField(
        WidgetSite, on_delete=models.CASCADE, null=True, related_name="knowledge", editable=False
    )
    # If set, it has what only this website's team may read. It is in no list either.
    team_website = models.OneToOneField(
        WidgetSite,
        on_delete=models.CASCADE,
        null=True,
        related_name="team_knowledge",
        editable=False,
    )

    @property
    def is_of_website(self) -> bool:
        """Return whether a website's pages keep it, and not its owner."""
        return self.website_id is not None or self.team_website_id is not None


class Document(models.Model):
    """A document of a collection. Its text is in `DocumentContent`, its index in `DocumentIndex`.

    A new version of a document is a new row, so that citations never point into another text.
    """

    class State(models.TextChoices):
        WAITING = "waiting", _("Waiting")  # its text is not read yet
        INDEXING = "indexing", _("Indexing")  # it is found by its words, not yet by its meaning
        READY = "ready", _("Ready")
        FAILED = "failed", _("Failed")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    collection = models.ForeignKey(Collection, on_delete=models.CASCADE, related_name="documents")
    name = models.CharField(max_length=DOCUMENT_NAME_LENGTH)
    # What its versions have in common, if that isn't the name: the address of the public web page
    # that it was read from, or the id of an answer that a website's team wrote.
    address = models.CharField(max_length=ADDRESS_LENGTH, blank=True, default="", db_default="")
    # Who added it, and pays for its embeddings.
    added_by = models.ForeignKey(
        User, on_delete=models.SET_NULL, null=True, related_name="documents_added"
    )
    state = models.CharField(max_length=8, choices=State.choices, default=State.WAITING)
    # Why it failed, as a code of `chat/indexing/errors.py`.
    problem = models.CharField(max_length=20, blank=True)
    size_bytes = models.PositiveBigIntegerField(default=0)  # of the file
    stored_bytes = models.PositiveBigIntegerField(default=0)  # of the file, the text and the index
    pages = models.PositiveIntegerField(default=0)  # of a PDF
    passage_count = models.PositiveIntegerField(default=0)
    is_cut = models.BooleanField(default=False)  # it is longer than what was read
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        indexes = [models.Index(fields=["collection", "name", "id"], name="documents_by_name")]

    def __str__(self) -> str:
        return self.name

    @property
    def web_address(self) -> str:
        """Return the address of the web page, which citations link to; empty if it is none."""
        return self.address if self.address.startswith(WEB) else ""


class DocumentContent(models.Model):
    """The file as it was added, and its text once it is read."""

    document = models.OneToOneField(
        Document, on_delete=models.CASCADE, primary_key=True, related_name="content"
    )
    text = models.TextField(blank=True)
    file = models.BinaryField(null=True)  # last, so that databases need not read it for the rest

    def __str__(self) -> str:
        return f"content of document {self.document_id}"


class DocumentIndex(models.Model):
    """What a document is found by, in one row, so that it is replaced as a whole.

    The formats are those of `chat/knowledge/index_format.py`.
    """

    document = models.OneToOneField(
        Document, on_delete=models.CASCADE, primary_key=True, related_name="index"
    )
    # The model that made the vectors, which can only be compared with its own. Empty: there are
    # none, so the document is found by words alone.
    embedding_model = models.CharField(max_length=200, blank=True)
    passages = models.BinaryField()
    words = models.BinaryField()
    vectors = models.BinaryField(blank=True, default=bytes)

    def __str__(self) -> str:
        return f"index of document {self.document_id}"

    @property
    def size_bytes(self) -> int:
        parts: list[Any] = [self.passages, self.words, self.vectors]
        return sum(map(len, parts))
