#!/usr/bin/python3
"""Opens the documentation's site in Chromium, from a plain server on the loopback interface that serves it under
the path BASE: try-site.py SITE BASE. Without Chromium it says so and does nothing (`make browser-deps`)."""

import functools
import html
import http.server
import re
import shutil
import subprocess
import sys
import threading
import time

# What a page must show: its address, and what the text of its elements, or an address in it, is matched by.
EXPECTED = [
    ("documentation/", [r"<h1[^>]*><span[^>]*>All documentation", r"Print and pictures.*Print and pictures", r"custom-header"]),
    # By a deep link: an article and a symbol of a library, each beside the list of all archives.
    ("documentation/cliptag/printacode/", [r"<h1[^>]*><span[^>]*>Print a code", r"The command"]),
    ("documentation/ndef/ndefmessage/init(decoding:)/", [r"Reads a message strictly", r"NDEFReading"]),
    # The search: a symbol, an article by a word of its title, words of two names, a failure's code, an option.
    ("search/?q=NDEFMessage", [r'<li><a href="\.\./documentation/ndef/ndefmessage/">']),
    ("search/?q=poster", [r'<ol id="found"><li><a href="\.\./documentation/cliptag/makeaposter/">']),
    ("search/?q=location%20confirmation", [r'href="\.\./documentation/invocation/locationconfirmation/">']),
    ("search/?q=device-busy", [r'<ol id="found"><li><a href="\.\./documentation/cliptag/codes/#']),
    ("search/?q=--unregistered", [r'href="\.\./documentation/cliptag/printacode/']),
    ("search/?q=nosuchword", [r"Nothing has all these words"]),
]


class Handler(http.server.SimpleHTTPRequestHandler):
    base = ""

    def translate_path(self, path):
        inside = path.startswith(f"{self.base}/")
        return super().translate_path(path.removeprefix(self.base) if inside else "/not-there")

    def log_message(self, *_):
        pass


def main(site, base):
    chromium = shutil.which("chromium")
    if not chromium:
        print("the site was not tried in a browser: chromium is missing (make browser-deps)")
        return 0
    begin = time.monotonic()
    Handler.base = base
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=site))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    failed = 0
    for address, patterns in EXPECTED:
        run = subprocess.run(
            [chromium, "--headless=new", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=20000", "--dump-dom",
             "--window-size=1280,900", f"http://127.0.0.1:{server.server_port}{base}/{address}"],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, timeout=120)
        # What scripts have made of the page, without what is there for readers who have none.
        page = re.sub(r"<(noscript|script|template)\b.*?</\1>|</?mark>", "", run.stdout, flags=re.DOTALL)
        for pattern in patterns:
            if not re.search(pattern, html.unescape(page)):
                failed += 1
                print(f"{address}: in the browser there is no {pattern}")
    server.shutdown()
    print(f"{len(EXPECTED)} pages in Chromium in {time.monotonic() - begin:.0f} s; {failed} faults")
    return 1 if failed else 0


sys.exit(main(sys.argv[1], "".join(sys.argv[2:3])))
