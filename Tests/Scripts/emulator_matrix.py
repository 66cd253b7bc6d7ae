#!/usr/bin/env python3
"""Runs a built cliptag against pn532_emulator.py, one habit of the reader at a time.

    Tests/Scripts/emulator_matrix.py .build/debug/cliptag

Each row writes a tag and, where that should succeed, reads it back in a second run. The exit status
is 0 when every run ended as the command's contract says, and within 20 seconds.
"""

import os
import subprocess
import sys
import tempfile

URL = "https://fruta.example.com/order/cupertino"
OK, NO_TAG, NO_READER, TAG_FAILED = 0, 2, 69, 74

# The emulator's options, and the exit statuses that are right for a write.
ROWS = [
    ("", {OK}),
    ("--get-version error-frame", {OK}),
    ("--get-version silent", {OK}),
    ("--no-fast-read", {OK}),
    ("--get-version silent --no-fast-read", {OK}),
    ("--extra-bytes", {OK}),
    ("--firmware 32010507", {OK}),
    ("--slow 100", {OK}),
    ("--slow 300", {OK}),
    ("--drop-answer 18", {OK}),
    ("--corrupt-answer 18", {OK}),
    ("--late-answer 18", {OK}),
    ("--empty", {NO_TAG}),
    ("--refuse-page 6", {TAG_FAILED, 77}),
    ("--remove-after 6", {TAG_FAILED}),
    ("--swap-after 6", {TAG_FAILED}),
    ("--hang-up-after 18", {NO_READER, TAG_FAILED}),
    ("--mute-after 18", {NO_READER, TAG_FAILED}),
    ("--mute", {NO_READER}),
]


def run(tool, home, reader, *arguments):
    environment = {**os.environ, "XDG_DATA_HOME": home, "LIBNFC_DEVICE": reader}
    command = [tool, "tag", *arguments, "--timeout", "3"]
    return subprocess.run(command, env=environment, timeout=20, capture_output=True, text=True)


def main():
    tool = os.path.abspath(sys.argv[1])
    emulator = os.path.join(os.path.dirname(os.path.abspath(__file__)), "pn532_emulator.py")
    failures = 0
    for options, expected in ROWS:
        with tempfile.TemporaryDirectory() as home, subprocess.Popen(
                [sys.executable, emulator, *options.split()], stdout=subprocess.PIPE,
                stderr=subprocess.PIPE, text=True) as player:
            reader = player.stdout.readline().strip()
            problems = []
            try:
                written = run(tool, home, reader, "write", URL, "--unregistered")
                status, said = written.returncode, written.stderr.strip()
                if status not in expected:
                    problems.append("write ended with %d, not %s" % (status, sorted(expected)))
                if expected == {OK} and not problems:
                    read = run(tool, home, reader, "read", "--json")
                    if URL not in read.stdout:
                        problems.append("reading back brought %r" % read.stdout)
                        said = read.stderr.strip()
            except subprocess.TimeoutExpired:
                status, said = None, ""
                problems.append("did not end")
            player.terminate()
            counts = player.stderr.read().strip().split("\n")[-1]
        print("%-6s %-38s status %s, %s" % ("FAILED" if problems else "ok", options or "(none)",
                                           status, " ".join(counts.split()[:2])))
        for line in problems + ([said] if problems and said else []):
            print("       " + line)
        failures += bool(problems)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
