"""Measure what the page costs a browser: `make bench-page`. Prints tables; fails above a limit.

The baseline is the usual approach: marked and DOMPurify on the whole text, once per frame.
`BENCH=quick` omits the long runs of the baseline and the real-time run.
"""

import os
import sys
from pathlib import Path

from playwright.sync_api import Browser, BrowserContext

from benchmarks.page.browser import EMAIL, Bench, signed_in, traced
from benchmarks.page.chatting import RATE, chatting
from benchmarks.page.limits import Limits
from benchmarks.page.pasting import pasting
from benchmarks.page.reference import ADDRESS, reference_page
from benchmarks.page.visits import visits
from chat.emulator.scripts.answers import markdown as every_construct
from tests.browser.history import conversation
from tests.browser.replies import big_code, big_list, big_table, reply, tokens
from tests.browser.server import LiveSite

QUICK = os.environ.get("BENCH") == "quick"
TEXTS = {
    "1k": reply(1_000),
    "4k": reply(4_000),
    "16k": reply(16_000),
    "list": big_list(16_000),
    "table": big_table(16_000),
    "code": big_code(16_000),
}
BASELINE = ("1k", "4k") if QUICK else tuple(TEXTS)


def main() -> int:
    limits = Limits()
    settings = {"MAX_TOKENS": "16384", "EMULATOR_TOKENS_PER_SECOND": str(RATE)}
    with signed_in(**settings) as (site, browser, context):
        visits(site, browser, context, limits)
        pasting(browser, context, limits)
        bench = Bench(browser, context)
        cost(bench, limits)
        calm(bench, limits)
        bench.page.close()
        if not QUICK:
            chatting(browser, context, limits)
        history(site, browser, context, limits)
    print("\n" + ("Passed: " + ", ".join(limits.passed) if limits.passed else "Within all limits."))
    return 1 if limits.passed else 0


def cost(bench: Bench, limits: Limits) -> None:
    print("\nMain thread, step by step: ms in all, longest task, tasks over 16 and 50 ms")
    print(f"{'':8}{'ours':>8}{'longest':>9}{'>16':>5}{'>50':>5}{'usual':>9}{'ratio':>7}")
    taken: dict[str, float] = {}
    for name, text in TEXTS.items():
        pieces = tokens(text)
        bench.cpu("inSteps", "ours", pieces[:500])  # warm up
        taken[name], _ = bench.cpu("inSteps", "ours", pieces)
        tasks = bench.tasks("inSteps", "ours", pieces)
        over = f"{count_over(tasks, 16):5}{count_over(tasks, 50):5}"
        print(f"{name:8}{taken[name]:8.0f}{max(tasks):9.1f}{over}", end="", flush=True)
        if name in BASELINE:
            usual, _ = bench.cpu("inSteps", "everyFrame", pieces)
            print(f"{usual:9.0f}{usual / taken[name]:7.1f}", end="")
        print(flush=True)
        if name == "4k":
            limits.check("CPU for 4k tokens, times what is usual", taken["4k"] / usual, 0.2)
        if name == "16k":
            limits.check("CPU for 16k tokens, times that for 4k", taken["16k"] / taken["4k"], 6)
            limits.check("longest task for 16k tokens, ms", max(tasks), 16)
            limits.check("tasks over 50 ms", count_over(tasks, 50), 0)


def calm(bench: Bench, limits: Limits) -> None:
    print("\nWhat comes and goes while 4k tokens and a page of every construct arrive")
    print(f"{'':8}{'retractions per 1k':>20}{'characters':>12}{'raw markup':>12}")
    pieces = tokens(TEXTS["4k"] + "\n" + every_construct())
    for title, name in (("ours", "ours"), ("usual", "everyFrame")):
        found = bench.page.evaluate("args => measure.looks(...args)", [name, pieces])
        retractions = found["retractions"] / len(pieces) * 1000
        raw = found["raw"] / found["renders"] * 100
        print(f"{title:8}{retractions:20.1f}{found['takenBack']:12}{raw:10.2f} %")
        if name == "ours":
            limits.check("retractions per 1k tokens", retractions, 5)
            limits.check("renders that show raw markup, %", raw, 1)


def history(site: LiveSite, browser: Browser, context: BrowserContext, limits: Limits) -> None:
    print("\nOpening a stored conversation of 2,000 turns (1,000 answers of about 300 tokens)")
    folder = Path(site.environment["DATA_DIR"])
    path = conversation(site, folder, EMAIL, [reply(300, seed) for seed in range(1_000)])
    with reference_page(context) as plain, traced(browser, plain) as reference:
        plain.goto(ADDRESS)
        plain.wait_for_timeout(2_000)
    page = context.new_page()
    page.goto("/healthz")
    with traced(browser, page) as tasks:
        page.goto(path)
        page.locator(".answer > .formatted").last.wait_for()
        page.wait_for_timeout(2_000)
    longest = [round(each) for each in sorted(tasks)[-5:]]
    print(f"  {sum(tasks):.0f} ms in all; the longest tasks: {longest}")
    limits.check_time("longest task", max(tasks), max(reference), 12)
    page.close()


def count_over(tasks: list[float], limit: float) -> int:
    return sum(task > limit for task in tasks)


if __name__ == "__main__":
    sys.exit(main())
