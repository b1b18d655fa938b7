"""Browsers are named from their User-Agent."""

import pytest

from chat.accounts.sessions.user_agents import browser_name

CHROME = "AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0"
SAFARI = "AppleWebKit/605.1.15 (KHTML, like Gecko)"


@pytest.mark.parametrize(
    ("user_agent", "name"),
    [
        ("Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0", "Firefox on Linux"),
        (f"Mozilla/5.0 (Windows NT 10.0; Win64; x64) {CHROME} Safari/537.36", "Chrome on Windows"),
        (f"Mozilla/5.0 (Windows NT 10.0; Win64; x64) {CHROME} Safari/537.36 Edg/140.0", "Edge on Windows"),
        (f"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) {SAFARI} Version/18.0 Safari/605.1.15", "Safari on macOS"),
        (f"Mozilla/5.0 (iPad; CPU OS 18_0 like Mac OS X) {SAFARI} CriOS/140.0 Mobile/15E148 Safari/604.1", "Chrome on iPad"),
        (f"Mozilla/5.0 (Linux; Android 14; Pixel 8) {CHROME} Mobile Safari/537.36 OPR/90", "Opera on Android"),
        (f"Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) {CHROME} Safari/537.36", "Chrome on ChromeOS"),
        ("Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 SamsungBrowser/26.0 Chrome/122", "Samsung Internet on Android"),
        ("Mozilla/5.0 (Windows NT 6.1; Trident/7.0; rv:11.0) like Gecko", "Windows"),
        ("curl/8.5.0", "Unknown browser"),
        ("", "Unknown browser"),
    ],
)  # fmt: skip
def test_a_browser_is_named_from_its_user_agent(user_agent: str, name: str) -> None:
    assert browser_name(user_agent) == name
