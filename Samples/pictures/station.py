"""Takes a picture of the station's page for posters: station.py ADDRESS OUT, by chromedriver (W3C WebDriver)."""
import base64
import json
import re
import subprocess
import sys
import time
import urllib.request

address, out = sys.argv[1:]
driver = subprocess.Popen(["chromedriver", "--port=0"], stdout=subprocess.PIPE, text=True)
port = next(match[1] for line in driver.stdout if (match := re.search(r"started successfully on port (\d+)", line)))


def call(method, path, body=None):
    request = urllib.request.Request(
        f"http://127.0.0.1:{port}{path}", None if body is None else json.dumps(body).encode(), method=method,
        headers={"Content-Type": "application/json"})
    return json.loads(urllib.request.urlopen(request).read())["value"]


options = {"args": ["--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--window-size=1280,1200"]}
session = "/session/" + call("POST", "/session", {
    "capabilities": {"alwaysMatch": {"browserName": "chrome", "goog:chromeOptions": options}}})["sessionId"]
try:
    def script(text):
        return call("POST", session + "/execute/sync", {"script": text, "args": []})

    def wait(condition):
        deadline = time.monotonic() + 30
        while not script(f"return {condition}"):
            if time.monotonic() > deadline:
                raise SystemExit(f"the station's page has no {condition}")
            time.sleep(0.1)

    call("POST", session + "/url", {"url": address})
    # The link becomes a session.
    wait("document.querySelector('nav a[href$=print]') !== null")
    call("POST", session + "/url", {"url": address.split("/?")[0] + "/print"})
    wait("document.querySelector('#poster-form select')?.options.length > 1")
    script("""const place = document.querySelector('#poster-form select');
        place.value = [...place.options].find((option) => option.text.includes('Cupertino')).value;
        place.dispatchEvent(new Event('change', { bubbles: true }));""")
    wait("[...document.querySelectorAll('#poster-preview img, #poster-preview svg')].some((e) => e.clientHeight > 300)")
    time.sleep(1)  # Its shadow fades in.
    with open(out, "wb") as file:
        file.write(base64.b64decode(call("GET", session + "/screenshot")))
finally:
    call("DELETE", session)
    driver.terminate()
    driver.wait()
