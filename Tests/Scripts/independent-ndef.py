"""Does nfcpy with ndeflib read every message that cliptag writes, and the other way round?

    independent-ndef.py CLIPTAG [MESSAGES [KIND…]]

For every kind of tag a simulated reader is started, and nfcpy, an independent client of the PN532's
wire protocol and of the tag's memory, takes turns with the command over one pseudo-terminal. MESSAGES
(default 300) are generated from a fixed seed and shared out among the kinds: URLs of every length up
to what the tag holds, with every prefix and script; from nfcpy's side also texts, Smart Posters,
messages of several records, identifiers and empty records. Exit status 1 when one was read
differently. Needs nfcpy and ndeflib for the Python that runs this.
"""

import json
import os
import random
import subprocess
import sys
import tempfile

import ndef
import nfc
import nfc.clf.pn532
import nfc.clf.transport

KINDS = ["ultralight", "ntag213", "ntag215", "ntag216"]
SIGNS = "abcdefghijklmnopqrstuvwxyz0123456789-._~"


class Station:
    """A simulated reader with one tag, used by cliptag and by nfcpy in turns."""

    def __init__(self, cliptag, kind, folder):
        self.cliptag = cliptag
        self.environment = dict(os.environ, LIBNFC_LOG_LEVEL="0", HOME=folder,
                                CLIPTAG_REGISTRY=os.path.join(folder, "registry.sqlite"))
        self.simulator = subprocess.Popen(
            [cliptag, "reader", "simulate", "--tag", kind], stdout=subprocess.PIPE, text=True)
        self.reader = self.simulator.stdout.readline().strip()

    def close(self):
        self.simulator.terminate()
        self.simulator.wait()

    def command(self, *arguments):
        run = subprocess.run(
            [self.cliptag, *arguments, "--reader", self.reader, "--json"],
            capture_output=True, text=True, env=self.environment)
        line = run.stdout.strip().splitlines()[-1] if run.stdout.strip() else "{}"
        return run.returncode, json.loads(line)

    def with_nfcpy(self, work):
        # nfcpy looks for serial ports only by their names in /dev, and the pseudo-terminal has none
        # there; opening its own transport and driver by path is what its search does in the end.
        frontend = nfc.ContactlessFrontend()
        frontend.device = nfc.clf.pn532.init(nfc.clf.transport.TTY(self.reader.split(":", 1)[1]))
        try:
            target = frontend.sense(nfc.clf.RemoteTarget("106A"), iterations=5, interval=0.01)
            tag = nfc.tag.activate(frontend, target)
            if tag is None:
                raise RuntimeError("nfcpy finds no tag")
            return work(tag)
        finally:
            frontend.close()


def url(generator, room):
    """A URL that cliptag writes as it is, in at most `room` bytes behind https://."""
    length = generator.randint(8, max(8, room))
    host = generator.choice(["a.example", "www.example.com", "xn--bcher-kva.example", "t.co"])
    text = host + "/"
    while len(text) < length:
        text += generator.choice(SIGNS + "//%") if generator.random() < 0.97 else "%C3%A9"
    text = text[:length].rstrip("%")
    while "%" in text and not all(len(part) >= 2 and all(c in "0123456789ABCDEFabcdef"
                                  for c in part[:2]) for part in text.split("%")[1:]):
        text = text.replace("%", "x", 1)
    return "https://" + text


def records(generator, room):
    """A message as others write it, with the URI that a phone would take from it (or None)."""
    kind = generator.randrange(6)
    uri = generator.choice(["http://www.", "https://www.", "https://", "http://", "tel:", "urn:nfc:",
                            "mailto:", ""]) + "a.example/" + "".join(
        generator.choice(SIGNS) for _ in range(generator.randint(1, max(1, room - 50))))
    if kind in (0, 1):
        return [ndef.UriRecord(uri)], uri
    if kind == 2:
        return [ndef.TextRecord("größe 日本 " + uri[:10], "de")], None
    if kind == 3:
        poster = ndef.SmartposterRecord("https://a.example/" + uri[-5:])
        poster.set_title("Tisch", "de")
        return [poster], None
    if kind == 4:
        other = ndef.Record("application/x", "id", bytes(generator.randrange(256) for _ in range(5)))
        return [other, ndef.UriRecord("https://a.example/2")], "https://a.example/2"
    return [ndef.Record()], None


def main():
    cliptag = os.path.abspath(sys.argv[1])
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 300
    kinds = sys.argv[3:] or KINDS
    generator = random.Random(20261121)
    faults = 0
    totals = {"cliptag writes, nfcpy reads": 0, "nfcpy writes, cliptag reads": 0}
    for kind in kinds:
        with tempfile.TemporaryDirectory() as folder:
            station = Station(cliptag, kind, folder)
            try:
                first = url(generator, 8)
                station.command("tag", "write", first, "--unregistered", "--overwrite")
                room = station.with_nfcpy(lambda tag: tag.ndef.capacity)
                for _ in range(count // len(kinds) // 2):
                    wanted = url(generator, room - 5 - 3 * (room > 254))
                    status, line = station.command(
                        "tag", "write", wanted, "--unregistered", "--overwrite")
                    seen = station.with_nfcpy(
                        lambda tag: [record.iri for record in tag.ndef.records])
                    if status != 0 or seen != [wanted]:
                        faults += 1
                        print(f"FAILED {kind}: cliptag wrote {wanted} ({status} {line}), "
                              f"nfcpy reads {seen}")
                    totals["cliptag writes, nfcpy reads"] += 1

                    message, expected = records(generator, room)
                    if len(b"".join(ndef.message_encoder(message))) > room:
                        message, expected = [ndef.UriRecord("https://a.example")], "https://a.example"

                    def write(tag, message=message):
                        tag.ndef.records = message
                    station.with_nfcpy(write)
                    status, line = station.command("tag", "info")
                    if status != 0 or line.get("payload") != expected:
                        faults += 1
                        print(f"FAILED {kind}: nfcpy wrote {message}, cliptag reads {line}")
                    totals["nfcpy writes, cliptag reads"] += 1
            finally:
                station.close()
        print(f"{kind}: done")
    for name, number in totals.items():
        print(f"{name}: {number}")
    print("All messages are read as written." if not faults else f"{faults} were not.")
    sys.exit(1 if faults else 0)


main()
