"""Sign up at a running site, ask a question and read the streamed answer: needs only Python.

python3 deploy/check_stream.py http://localhost:8000
"""

import http.cookiejar
import json
import re
import sys
import urllib.parse
import urllib.request
import uuid

WAIT_SECONDS = 60


def main(site: str) -> None:
    jar = http.cookiejar.CookieJar()
    web = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(jar))
    with web.open(f"{site}/readyz", timeout=WAIT_SECONDS) as ready:
        print(f"/readyz: {ready.status}")
    with web.open(f"{site}/accounts/signup/", timeout=WAIT_SECONDS) as page:
        token = re.search(r'csrfmiddlewaretoken" value="([^"]+)', page.read().decode())
    assert token
    password = f"a quiet {uuid.uuid4()} room"
    form = {
        "csrfmiddlewaretoken": token[1],
        "email": f"check-{uuid.uuid4()}@example.org",
        "password1": password,
        "password2": password,
    }
    data = urllib.parse.urlencode(form).encode()
    with web.open(urllib.request.Request(f"{site}/accounts/signup/", data)) as chat:
        assert chat.url.endswith("/chat/"), chat.url
    csrf = next(each.value for each in jar if each.name == "csrftoken") or ""
    headers = {
        "Content-Type": "application/json",
        "Accept": "text/event-stream",
        "Origin": site,
        "X-CSRFToken": csrf,
    }
    body = json.dumps({"key": uuid.uuid4().hex, "text": "Hello"}).encode()
    request = urllib.request.Request(f"{site}/chat/messages", body, headers)
    with web.open(request, timeout=WAIT_SECONDS) as stream:
        events = [line for line in stream if line.startswith(b"data:")]
    assert events[-1].strip() == b"data: [DONE]", events[-1]
    print(f"A streamed answer: {len(events)} events, complete.")


if __name__ == "__main__":
    main(sys.argv[1])
