#!/usr/bin/env python3
"""Measures the station as whoever works with it sees it, in Chromium, on a simulated reader.

    Tests/Scripts/measure-station.py CLIPTAG [TAGS]

Prints how soon the page is painted and how many bytes it has; how long it takes from laying a tag down to
"reading" or "writing" and to "written and read back" on the screen, beside the modelled time of the serial line, the air and
the tag's memory; and the station's memory while TAGS tags (10,000) are written one after another. It needs
Debian's chromium and chromium-driver.
"""
import json
import os
import re
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request

URL = "https://fruta.example.com/order/cupertino/table/"
ROWS = 60
LOADS = 15


class Driver:
    """A browser, by W3C WebDriver."""

    def __init__(self, folder):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.process = subprocess.Popen(
            ["chromedriver", f"--port={self.port}"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.session = ""
        deadline = time.time() + 30
        while True:
            try:
                self.call("GET", "/status")
                break
            except OSError:
                if time.time() > deadline:
                    raise
                time.sleep(0.05)
        options = {"args": ["--headless=new", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder}",
                            "--window-size=1280,800"]}
        made = self.call("POST", "/session", {"capabilities": {"alwaysMatch": {
            "browserName": "chrome", "goog:chromeOptions": options}}})
        self.session = "/session/" + made["sessionId"]

    def call(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}{self.session if path != '/status' else ''}{path}", data, method=method)
        request.add_header("Content-Type", "application/json")
        return json.loads(urllib.request.urlopen(request).read())["value"]

    def open(self, url):
        self.call("POST", "/url", {"url": url})

    def run(self, script, *arguments):
        return self.call("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def end(self):
        try:
            self.call("DELETE", "")
        except OSError:
            pass
        self.process.terminate()
        self.process.wait()


class Station:
    """A station on a simulated reader."""

    def __init__(self, cliptag, folder, *reader):
        environment = dict(os.environ, CLIPTAG_REGISTRY=folder + "/station.sqlite")
        subprocess.run([cliptag, "registry", "import", "Samples/fruta/registry.yaml"], env=environment, check=True,
                       stdout=subprocess.DEVNULL)
        self.reader = subprocess.Popen(
            [cliptag, "reader", "simulate", *reader], stdout=subprocess.PIPE, text=True, env=environment)
        name = self.reader.stdout.readline().strip()
        self.process = subprocess.Popen(
            [cliptag, "station", "--json", "--reader", name], stdout=subprocess.PIPE, text=True, env=environment,
            stderr=subprocess.DEVNULL)
        self.link = json.loads(self.process.stdout.readline())["url"]
        self.base = self.link.split("/?")[0]
        self.key = None

    def call(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.base + path, data, method=method)
        request.add_header("Content-Type", "application/json")
        if self.key:
            request.add_header("Authorization", "Bearer " + self.key)
        return json.loads(urllib.request.urlopen(request).read())

    def open(self):
        self.key = self.call("POST", "/api/session", {"token": self.link.split("token=")[1]})["session"]

    def memory(self):
        """What is in memory now, and the most that was, in MiB."""
        status = open(f"/proc/{self.process.pid}/status").read()
        return [int(re.search(name + r":\s+(\d+)", status).group(1)) / 1024 for name in ("VmRSS", "VmHWM")]

    def end(self):
        for process in (self.process, self.reader):
            process.terminate()
            process.wait()


def rows(count):
    return "url,label\n" + "".join(f"{URL}{number},Table {number}\n" for number in range(1, count + 1))


def told(values):
    ordered = sorted(values)
    return f"median {statistics.median(ordered):.0f} ms, p95 {ordered[int(len(ordered) * 0.95)]:.0f} ms"


def on_screen(cliptag, folder):
    control = folder + "/control"
    station = Station(cliptag, folder, "--tag", "none", "--timing", "wire", "--control", control)
    driver = Driver(folder + "/browser")
    try:
        # The browser's session is in its cookie.
        driver.open(station.link)
        paints, sizes = [], []
        for _ in range(LOADS):
            driver.open(station.base + "/")
            found = driver.run("""
                const paint = performance.getEntriesByName("first-contentful-paint")[0];
                const all = [...performance.getEntriesByType("resource"), ...performance.getEntriesByType("navigation")];
                return [paint && paint.startTime, all.reduce((sum, one) => sum + one.decodedBodySize, 0), all.length];""")
            if found[0]:
                paints.append(found[0])
            sizes.append(found[1:])
        print(f"first paint of the page: {told(paints)} ({len(paints)} loads); "
              f"{max(sizes)[0] / 1024:.0f} KiB in {max(sizes)[1]} requests")
        channel = socket.socket(socket.AF_UNIX)
        channel.connect(control)
        lines = channel.makefile("rw")

        def ask(line):
            lines.write(line + "\n")
            lines.flush()
            return lines.readline()

        def modelled():
            return int(re.search(r"modelled-microseconds=(\d+)", ask("counts")).group(1)) / 1000

        driver.run("""
            window.seen = [];
            const stage = document.getElementById("stage");
            new MutationObserver(() => requestAnimationFrame(() => {
              seen.push([stage.dataset.phase, performance.timeOrigin + performance.now()]);
            })).observe(stage, {attributes: true, attributeFilter: ["data-phase"]});
            fetch("/api/batches/start", {method: "POST", headers: {"Content-Type": "application/json",
              "X-CSRF-Token": document.querySelector("meta[name=csrf]").content},
              body: JSON.stringify({batch: "tables", csv: arguments[0]})});""", rows(ROWS + 1))

        def wait(phases, since):
            deadline = time.time() + 30
            while time.time() < deadline:
                for name, moment in driver.run("return window.seen.slice(-12)"):
                    if name in phases and moment >= since:
                        return moment
                time.sleep(0.01)
            raise SystemExit(f"the page never showed {phases}: {driver.run('return window.seen.slice(-5)')}")

        # What lasts less than a frame is seen as what follows it.
        first, last, model = [], [], []
        wait(["waiting"], 0)
        for number in range(ROWS):
            before = modelled()
            start = time.time() * 1000
            ask(f"place ntag215 04E1{number:04X}993C80")
            reading = wait(["reading", "writing"], start)
            done = wait(["done"], start)
            first.append(reading - start)
            last.append(done - start)
            model.append(modelled() - before)
            removed = time.time() * 1000
            ask("remove")
            wait(["waiting"], removed)
        print(f"from laying a tag down to “reading” or “writing” on the screen: {told(first)}")
        print(f"to “written and read back”: {told(last)}; modelled exchange with the reader, with its looks for the "
              f"tag: {told(model)} ({ROWS} tags, NTAG215)")
    finally:
        driver.end()
        station.end()


def over_many(cliptag, folder, count):
    station = Station(cliptag, folder, "--tag", "ntag215", "--deck", str(count), "--timing", "none")
    try:
        station.open()
        print(f"memory of the station: {station.memory()[0]:.0f} MiB at the beginning", end="")
        begun = time.time()
        answer = station.call("POST", "/api/batches/start", {"batch": "many", "csv": rows(count)})
        if answer["status"]:
            raise SystemExit(answer)
        marks = [count // 10, count // 2, count]
        while marks:
            now = station.call("GET", "/api/now")
            done = (now["counts"] or {}).get("done", 0)
            if now["phase"] == "failed":
                raise SystemExit(now["failure"])
            if done >= marks[0]:
                print(f", {station.memory()[0]:.0f} after {done} tags", end="", flush=True)
                marks = [mark for mark in marks if mark > done]
            time.sleep(0.2)
        print(f" (at most {station.memory()[1]:.0f}); {(time.time() - begun) * 1000 / count:.1f} ms a tag")
    finally:
        station.end()


def main():
    cliptag = os.path.abspath(sys.argv[1])
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 10_000
    folder = tempfile.mkdtemp(prefix="cliptag-station-")
    try:
        os.makedirs(folder + "/screen")
        os.makedirs(folder + "/many")
        if shutil.which("chromedriver"):
            on_screen(cliptag, folder + "/screen")
        else:
            print("on the screen: not measured, chromedriver is missing (make browser-deps)")
        over_many(cliptag, folder + "/many", count)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


main()
