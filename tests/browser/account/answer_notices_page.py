"""Use notices of answers in a browser without a window, which shows none and grants none.

The page's permission, and in the worker showing a notice, focusing a tab and opening one, are
replaced. Everything between is real: the worker, its registration, the messages, the tabs.
"""

from typing import Any

from playwright.sync_api import Page, Worker, expect

from tests.browser.chromium import require_chromium

WANTED = "Notify me of answers in the background"
HIDE = 'Object.defineProperty(document, "hidden", { get: () => true, configurable: true })'
PERMISSION = """
  window.asked = 0;
  window.permission = "%s";
  Object.defineProperty(Notification, "permission", { get: () => window.permission });
  Notification.requestPermission = async () => {
    window.asked += 1;
    return (window.permission = window.willAnswer ?? "granted");
  };
"""
REPLACE = """() => {
  Object.assign(self, { shown: [], focused: [], opened: [] });
  self.registration.showNotification = async (heading, options) => {
    shown.push({ heading, ...options });
  };
  WindowClient.prototype.focus = async function () {
    focused.push(this.id);
  };
  self.clients.openWindow = async (path) => {
    opened.push(path);
  };
}"""
CLICK = """async () => {
  const notification = { data: shown[0].data, close: () => (shown[0].isClosed = true) };
  let work;
  const waitUntil = (given) => (work = given);
  dispatchEvent(Object.assign(new Event("notificationclick"), { notification, waitUntil }));
  await work;
  return { isClosed: shown[0].isClosed, focused, opened };
}"""
REGISTRATIONS = """navigator.serviceWorker.getRegistrations().then(
  (all) => all.map(({ scope }) => new URL(scope).pathname))"""


def choose(page: Page, choice: str) -> None:
    page.get_by_role("group", name=WANTED).get_by_label(choice).check()
    expect(page.locator("#saved")).to_have_text("Saved.")


def turn_on(page: Page, choice: str) -> Worker:
    """Turn notices on in the settings, and return the worker, which records what it does."""
    require_chromium(page, "service workers, which Playwright finds in Chromium only")
    with page.context.expect_event("serviceworker") as coming:
        choose(page, choice)
    worker: Worker = coming.value
    worker.evaluate(REPLACE)
    return worker


def hide(page: Page, *, told: bool = False) -> None:
    """Make the page believe that nobody sees it; `told`: and that this has just happened."""
    page.evaluate(HIDE)
    if told:
        page.evaluate(
            """() => {
              Object.defineProperty(document, "visibilityState", { value: "hidden", configurable: true });
              document.dispatchEvent(new Event("visibilitychange"));
            }"""
        )


def shown(worker: Worker) -> list[dict[str, Any]]:
    notices: list[dict[str, Any]] = worker.evaluate("shown")
    return notices


def wait_for_notice(page: Page, worker: Worker) -> dict[str, Any]:
    """Return the first notice once there is one."""
    worker.evaluate(
        """async () => {
          const end = Date.now() + 60_000;
          while (!shown.length && Date.now() < end) await new Promise((resolve) => setTimeout(resolve, 20));
        }"""
    )
    return shown(worker)[0]


def registrations(page: Page) -> list[str]:
    """Return the scopes of the workers in this browser."""
    scopes: list[str] = page.evaluate(REGISTRATIONS)
    return scopes
