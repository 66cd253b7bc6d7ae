#!/usr/bin/python3
"""Runs the built tests piece by piece and lists the time of each, the longest first.

Called by make: test-times.py SWIFT FLAGS [NAME…]. FLAGS are those of the build; with others its plan would be made
anew. A piece is a test target, or a suite of CommandTests. The times that Swift Testing prints include the time in
which a test waits for others to end; these do not. CPU is the time of the tests and of every program that they run.
"""

import os
import re
import subprocess
import sys
import time

swift, flags, wanted = sys.argv[1], sys.argv[2].split(), sys.argv[3:]
test = [swift, "test", *flags, "--skip-build", "--disable-xctest"]
listed = subprocess.run([swift, "test", *flags, "list", "--skip-build"], stdout=subprocess.PIPE, text=True, check=True)
pieces = set()
for line in listed.stdout.splitlines():
    target, _, rest = line.partition(".")
    suite = re.match(r"(CommandSuite/)?\w+", rest)[0]
    pieces.add(f"{target}.{suite}" if target == "CommandTests" else target)
rows = []
for piece in sorted(pieces):
    if wanted and not any(name in piece for name in wanted):
        continue
    begin = time.monotonic()
    run = subprocess.Popen(
        test + ["--filter", f"^{re.escape(piece)}[./]"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(run.pid, 0)
    rows.append((time.monotonic() - begin, usage.ru_utime + usage.ru_stime, piece, status))
    print(".", end="", file=sys.stderr, flush=True)
print(file=sys.stderr)
print("  Clock      CPU  Tests")
for clock, cpu, piece, status in sorted(rows, reverse=True):
    print(f"{clock:5.1f} s  {cpu:5.1f} s  {piece}{'' if status == 0 else '  FAILED'}")
