"""A document that is added is read and indexed in the background, and replaced as a whole."""

from datetime import timedelta

import pytest
from asgiref.sync import sync_to_async
from django.utils import timezone
from pytest_django import Settings

from chat.accounts.models import User
from chat.conversations.errors import StorageFull
from chat.conversations.sizes import storage
from chat.errors import ChatError, NotFound
from chat.indexing import documents, stored_index, work
from chat.indexing.errors import PROBLEMS
from chat.indexing.work import INDEX
from chat.knowledge.models import Collection, Document, DocumentContent, DocumentIndex
from chat.knowledge.search import search
from chat.outbox.claim import MAX_ATTEMPTS
from chat.outbox.deliver import end_interrupted
from chat.outbox.models import Delivery
from chat.quotas.models import Charge, Meter
from tests.support.documents.samples import pdf
from tests.support.knowledge.collections import add_document, index_documents, new_collection

pytestmark = pytest.mark.usefixtures("stop_server_process", "no_network_jobs")


@pytest.fixture
async def handbook(alice: User) -> Collection:
    return await new_collection(alice)


async def found(collection: Collection, question: str) -> list[str]:
    """Return the names of the documents that are found by words, best first."""
    hits = await sync_to_async(search)([collection.pk], question, None, "", 10)
    names = {each.pk: each.name async for each in Document.objects.all()}
    return [names[each.document_id] for each in hits]


async def test_a_document_becomes_ready_and_is_found(alice: User, handbook: Collection) -> None:
    document = await add_document(handbook, alice, "travel.txt", "Trips are paid by the company.")
    assert (document.state, document.passage_count) == (Document.State.READY, 1)
    index = await DocumentIndex.objects.aget()
    assert len(index.vectors) == 1024
    assert await found(handbook, "Who pays for trips?") == ["travel.txt"]
    assert await found(handbook, "dragons") == []
    charge = await Charge.objects.aget()
    assert charge.millineurons > 0
    meter = await Meter.objects.aget(key__startswith="user")
    assert (meter.requests, meter.running) == (0, 0)
    assert not await Delivery.objects.aexists()


async def test_the_pages_of_a_pdf_are_counted(alice: User, handbook: Collection) -> None:
    add = sync_to_async(documents.add)
    document = await add(handbook, alice, "a.pdf", pdf("First page", "Second page"))
    assert document.state == Document.State.WAITING
    await index_documents()
    await document.arefresh_from_db()
    assert (document.state, document.pages, document.passage_count) == ("ready", 2, 2)


@pytest.mark.parametrize(
    ("name", "content", "problem"),
    [
        ("a.pdf", pdf(""), "no_text"),
        ("a.bin", b"\0\1\2\3" * 99, "unsupported"),
        ("a.docx", b"PK\3\4" + b"x" * 99, "damaged"),
    ],
)
async def test_a_file_without_text_says_why(
    alice: User, handbook: Collection, name: str, content: bytes, problem: str
) -> None:
    document = await sync_to_async(documents.add)(handbook, alice, name, content)
    await index_documents()
    await document.arefresh_from_db()
    assert (document.state, document.problem) == (Document.State.FAILED, problem)
    assert problem in PROBLEMS
    assert not await Delivery.objects.aexists()


async def test_a_document_replaces_one_of_its_name_once_it_can_be_found(
    alice: User, handbook: Collection
) -> None:
    await add_document(handbook, alice, "hours.txt", "Open from nine.")
    await sync_to_async(documents.add)(handbook, alice, "hours.txt", b"Open from eleven.")
    assert await found(handbook, "nine") == ["hours.txt"]
    assert await found(handbook, "eleven") == []
    await index_documents()
    assert await found(handbook, "nine") == []
    assert await found(handbook, "eleven") == ["hours.txt"]
    assert await Document.objects.acount() == 1


async def test_a_document_with_too_many_passages_is_cut(
    alice: User, handbook: Collection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stored_index, "MAX_PASSAGES", 2)
    whole = await add_document(handbook, alice, "b.md", "# One\n# Two")
    cut = await add_document(handbook, alice, "a.md", "# One\n# Two\n# Three")
    assert (whole.passage_count, whole.is_cut) == (2, False)
    assert (cut.state, cut.passage_count, cut.is_cut) == (Document.State.READY, 2, True)
    assert await found(handbook, "three") == []


async def test_an_unreadable_file_replaces_nothing(alice: User, handbook: Collection) -> None:
    await add_document(handbook, alice, "hours.txt", "Open from nine.")
    await sync_to_async(documents.add)(handbook, alice, "hours.txt", b"\0\1\2\3" * 99)
    await index_documents()
    assert await found(handbook, "nine") == ["hours.txt"]
    assert await Document.objects.acount() == 2


async def test_a_removed_document_leaves_nothing(alice: User, handbook: Collection) -> None:
    document = await add_document(handbook, alice, "a.txt", "Open from nine.")
    await sync_to_async(documents.remove)(document)
    assert await found(handbook, "nine") == []
    assert not await DocumentContent.objects.aexists()
    assert not await DocumentIndex.objects.aexists()


async def test_a_document_that_is_removed_while_it_waits_is_not_read(
    alice: User, handbook: Collection
) -> None:
    document = await sync_to_async(documents.add)(handbook, alice, "a.txt", b"Open from nine.")
    await sync_to_async(documents.remove)(document)
    await index_documents()
    assert not await Delivery.objects.aexists()
    assert not await Document.objects.aexists()


async def test_files_count_towards_the_storage_of_their_owner(
    alice: User, handbook: Collection, settings: Settings
) -> None:
    before = await sync_to_async(storage.used_bytes)(alice.pk)
    document = await add_document(handbook, alice, "a.txt", "x " * 5000)
    used = await sync_to_async(storage.used_bytes)(alice.pk)
    assert used - before == document.stored_bytes > 20_000
    settings.MAX_MEMBER_BYTES = used + 5
    storage.forget_budgets()
    with pytest.raises(StorageFull):
        await sync_to_async(documents.add)(handbook, alice, "b.txt", b"0123456789")


async def test_text_that_does_not_fit_into_the_storage_is_not_stored(
    alice: User, handbook: Collection, settings: Settings
) -> None:
    used = await sync_to_async(storage.used_bytes)(alice.pk)
    settings.MAX_MEMBER_BYTES = used + 1000
    storage.forget_budgets()
    document = await add_document(handbook, alice, "a.txt", "x " * 400)
    assert (document.state, document.problem) == (Document.State.FAILED, "storage")
    assert document.stored_bytes == 800
    assert document.problem in PROBLEMS
    assert not await Delivery.objects.aexists()
    settings.MAX_MEMBER_BYTES = 0
    storage.forget_budgets()
    await sync_to_async(documents.retry)(document)
    await index_documents()
    assert await Document.objects.filter(state=Document.State.READY).aexists()


async def test_an_embedding_model_that_is_always_too_slow_is_named_as_the_reason(
    alice: User, handbook: Collection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(work, "EMBEDDING_SECONDS", 0)
    document = await sync_to_async(documents.add)(handbook, alice, "a.txt", b"Open from nine.")
    await Delivery.objects.aupdate(attempts=MAX_ATTEMPTS - 1)
    await index_documents()
    await document.arefresh_from_db()
    assert (document.state, document.problem) == (Document.State.FAILED, "provider")
    assert await found(handbook, "nine") == ["a.txt"]


@pytest.mark.parametrize(
    ("step", "problem"), [("words_of_text", "too_complex"), ("encoded_vectors", "provider")]
)
async def test_a_step_that_always_breaks_is_not_waited_for_forever(
    step: str, problem: str, alice: User, handbook: Collection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stored_index, step, lambda *_given: 1 // 0)
    document = await sync_to_async(documents.add)(handbook, alice, "a.txt", b"Open from nine.")
    await Delivery.objects.aupdate(attempts=MAX_ATTEMPTS - 1)
    await index_documents()
    await document.arefresh_from_db()
    assert (document.state, document.problem) == (Document.State.FAILED, problem)
    assert problem in PROBLEMS


async def test_a_document_with_which_processes_die_fails(alice: User, handbook: Collection) -> None:
    document = await sync_to_async(documents.add)(handbook, alice, "a.txt", b"Open from nine.")
    await sync_to_async(end_interrupted([INDEX]))()
    assert await Delivery.objects.aexists()  # it is still tried
    past = timezone.now() - timedelta(seconds=1)
    await Delivery.objects.aupdate(attempts=MAX_ATTEMPTS, due_at=None, claimed_until=past)
    await sync_to_async(end_interrupted([INDEX]))()
    await document.arefresh_from_db()
    assert (document.state, document.problem) == (Document.State.FAILED, "too_complex")
    assert await Delivery.objects.filter(due_at=None, claimed_until=None).aexists()  # given up


async def test_nothing_is_added_to_a_collection_that_was_deleted_meanwhile(
    alice: User, handbook: Collection
) -> None:
    await Collection.objects.all().adelete()
    with pytest.raises(NotFound):
        await sync_to_async(documents.add)(handbook, alice, "a.txt", b"Open from nine.")


async def test_files_are_not_kept_where_the_site_says_so(
    alice: User, handbook: Collection, settings: Settings
) -> None:
    settings.KEEP_DOCUMENT_FILES = False
    document = await add_document(handbook, alice, "a.txt", "Open from nine.")
    content = await DocumentContent.objects.aget()
    assert (content.file, content.text) == (None, "Open from nine.")
    assert document.stored_bytes > document.size_bytes


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("folder/../sub\\plan.txt", "folder › sub › plan.txt"),
        ("a\u202etxt.exe\n", "atxt.exe"),
        ("", "file"),
        ("x" * 300 + ".pdf", "x" * 196 + ".pdf"),
    ],
)
async def test_names_are_short_and_plain(
    alice: User, handbook: Collection, name: str, shown: str
) -> None:
    document = await sync_to_async(documents.add)(handbook, alice, name, b"text")
    assert document.name == shown


async def test_an_empty_or_too_large_file_is_refused(
    alice: User, handbook: Collection, settings: Settings
) -> None:
    settings.MAX_DOCUMENT_BYTES = 1024
    for content, code in ((b"", "document_empty"), (b"x" * 1025, "document_too_large")):
        with pytest.raises(ChatError) as refused:
            await sync_to_async(documents.add)(handbook, alice, "a.txt", content)
        assert refused.value.code == code


async def test_a_full_collection_takes_files_that_replace_others(
    alice: User, handbook: Collection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(documents, "MAX_DOCUMENTS", 1)
    await add_document(handbook, alice, "hours.txt", "Open from nine.")
    with pytest.raises(ChatError, match="collection_full"):
        await sync_to_async(documents.add)(handbook, alice, "other.txt", b"x")
    await add_document(handbook, alice, "hours.txt", "Open from eleven.")
    assert await found(handbook, "eleven") == ["hours.txt"]


async def test_workers_ai_reads_what_nobody_here_can_if_the_site_lets_it(
    alice: User, handbook: Collection, settings: Settings
) -> None:
    settings.KNOWLEDGE_TO_MARKDOWN = True
    await sync_to_async(documents.add)(handbook, alice, "scan of a face.pdf", pdf(""))
    await index_documents()
    document = await Document.objects.aget()
    assert document.state == Document.State.READY
    content = await DocumentContent.objects.aget()
    assert content.text.startswith("The built-in emulator can't read this file.")


async def test_a_file_that_workers_ai_cannot_read_either_says_why(
    alice: User, handbook: Collection, settings: Settings
) -> None:
    settings.KNOWLEDGE_TO_MARKDOWN = True
    await sync_to_async(documents.add)(handbook, alice, "a.bin", b"\0\1\2\3" * 99)
    await index_documents()
    document = await Document.objects.aget()
    assert (document.state, document.problem) == (Document.State.FAILED, "unsupported")
