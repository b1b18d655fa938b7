"""Pages of listed origins can read why a request was refused; other pages cannot."""

from typing import Any

import pytest
from django.db import OperationalError
from django.test import AsyncClient

from chat.widget_sites.models import WidgetSite
from tests.support.generations.event_source import begins_and_waits
from tests.support.upstream.raw_upstream import EVENT_STREAM, chunk, plain
from tests.support.upstream.upstream_failures import envelope, writes
from tests.support.upstream.upstream_override import site_with
from tests.support.web.cors import EVIL, readable_by
from tests.support.web.front_end import HELLO, FrontEnd
from tests.support.widget.visitor_client import HOST, Visiting


class TestOtherOrigins:
    async def refusals(self, page: FrontEnd) -> list[Any]:
        """Return refusals from outside views: unknown paths and methods."""
        return [
            await page.post("nothing-here"),
            await page.fetch("chat/ui"),
            await page.fetch("v1/chat/completions"),
            await page.fetch("session"),
        ]

    async def test_a_listed_page_reads_the_error(self, shop: WidgetSite) -> None:
        answers = await self.refusals(FrontEnd(shop))
        assert [each.status_code for each in answers] == [404, 405, 405, 405]
        for each in answers:
            assert readable_by(each) == HOST
            assert each.json()["error"]["message"].endswith(".")
        assert answers[1]["Allow"] == "POST, OPTIONS"
        assert answers[1]["Content-Length"] == str(len(answers[1].content))
        assert answers[1]["Cache-Control"] == "no-store"
        assert answers[2].json()["error"]["type"] == "invalid_request_error"

    async def test_another_page_cannot_read_the_error(self, shop: WidgetSite) -> None:
        for origin in (EVIL, "null", f"{HOST}.", "https://shop.example"):
            for each in await self.refusals(FrontEnd(shop, origin)):
                assert (each.status_code, readable_by(each)) in {(404, None), (405, None)}
        for each in await self.refusals(FrontEnd("0" * 24)):
            assert readable_by(each) is None

    async def test_no_page_reads_errors_of_a_suspended_site(self, shop: WidgetSite) -> None:
        shop.is_suspended = True
        await shop.asave(update_fields=["is_suspended"])
        for each in await self.refusals(FrontEnd(shop)):
            assert readable_by(each) is None

    async def test_a_refusal_by_a_busy_process_is_readable(
        self, shop: WidgetSite, settings: Any
    ) -> None:
        begun = await FrontEnd(shop).post("session", {})
        settings.MAX_RUNNING_ANSWERS = 1
        page = FrontEnd(shop)
        page.headers["Authorization"] = f"Bearer {begun.json()['token']}"
        async with site_with(begins_and_waits):
            await FrontEnd(shop).post()
            for path, body in (("messages", {"key": "k" * 16, "text": "x"}), ("chat", HELLO)):
                busy = await page.post(path, body)
                assert (busy.status_code, busy.json()["error"]["code"]) == (503, "overloaded")
                assert readable_by(busy) == HOST
                page.headers["Origin"] = EVIL
                assert readable_by(await page.post(path, body)) is None
                page.headers["Origin"] = HOST

    async def test_urls_of_no_site_get_no_cors_headers(self, shop: WidgetSite) -> None:
        for path, status in (("/w.js", 405), ("/w.js/x", 404), ("/w/", 404), ("/w//chat", 404)):
            refused = await AsyncClient().post(path, headers={"Origin": HOST})
            assert (refused.status_code, readable_by(refused)) == (status, None), path

    async def test_a_database_failure_leaves_a_refusal_unreadable_but_unchanged(
        self, shop: WidgetSite, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def fail(key: str) -> None:
            raise OperationalError

        monkeypatch.setattr("chat.middleware.widget_isolation.open_site", fail)
        missing = await FrontEnd(shop).post("nothing-here")
        assert (missing.status_code, readable_by(missing)) == (404, None)


class TestPrograms:
    """Programs get JSON, whatever they accept."""

    async def test_errors_are_json_even_if_html_is_accepted(
        self, shop: WidgetSite, vera: Visiting
    ) -> None:
        page = FrontEnd(shop)
        for path in ("chat", "chat/text", "chat/ui", "v1/chat/completions", "session", "x", "x/y"):
            refused = await page.post(path, b"{", Accept="text/html,*/*")
            assert refused.status_code >= 400, path
            assert refused.json()["error"]["message"], path
        unknown = await vera.get("conversations/x", Accept="text/html")
        assert unknown.json()["error"]["code"] == "not_found"

    async def test_browsers_that_open_the_frame_get_a_page(self, shop: WidgetSite) -> None:
        for path in ("", "challenge"):
            missing = await FrontEnd("0" * 24, "").fetch(path, Accept="text/html")
            assert missing.status_code == 404
            assert missing["Content-Type"].startswith("text/html")

    @pytest.mark.parametrize("endpoint", ["chat/ui", "v1/chat/completions"])
    async def test_an_empty_body_is_reported_as_empty(
        self, endpoint: str, shop: WidgetSite
    ) -> None:
        for body in (b"", b" \n"):
            refused = await FrontEnd(shop).post(endpoint, body)
            assert refused.status_code == 400
            assert refused.json()["error"]["message"].startswith("The request body is empty.")


class TestTryingAgain:
    """OpenAI's clients retry after a 5xx, unless a header tells them not to."""

    async def test_a_failure_after_the_start_tells_clients_not_to_retry(
        self, shop: WidgetSite
    ) -> None:
        begun = writes(EVENT_STREAM, chunk(b'data: {"response":"Well"}\n\n'), then_close=True)
        async with site_with(begun):
            failed = await FrontEnd(shop).post("v1/chat/completions")
        assert failed.status_code == 502
        assert failed["X-Should-Retry"] == "false"
        assert "X-Should-Retry" in failed["Access-Control-Expose-Headers"]
        assert failed["X-Generation-Id"]

    async def test_a_failure_before_the_start_may_be_retried(self, shop: WidgetSite) -> None:
        async with site_with(writes(plain(500, envelope(10000)), then_close=True)):
            failed = await FrontEnd(shop).post("v1/chat/completions")
        assert failed.status_code == 502
        assert "X-Should-Retry" not in failed
