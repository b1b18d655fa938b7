"""Helpers for the tests of the sidebar."""

import re


def titles(html: str) -> list[str]:
    return re.findall(r"<bdi[^>]*>(chat \d+)</bdi>", html)


def parts(html: str) -> list[str]:
    return re.findall(r"<h2>(.*?)</h2>", html)


def older(html: str) -> str:
    found = re.search(r'hx-get="(/chat/sidebar/\?before=[^"]+)"', html)
    return found[1].replace("&amp;", "&") if found else ""
