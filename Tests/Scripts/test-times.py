#!/usr/bin/python3
"""Lists the slowest tests and suites of a run.

Called by make: test-times.py LOG. The time of a test is that of the clock, beside the other tests that ran
at once; the time of a suite is the sum of its tests.
"""

import re
import sys

text = open(sys.argv[1], encoding="utf8", errors="replace").read()
ended = re.compile(r"^[✔✘] (Test|Suite) (.+?) (?:with \d+ test cases? )?(?:passed|failed) after ([\d.]+) seconds", re.M)
tests, suites = [], []
for kind, name, seconds in ended.findall(text):
    (tests if kind == "Test" else suites).append((float(seconds), name.strip('"')))
print("Seconds  Suite (from its first test to its last)")
for seconds, name in sorted(suites, reverse=True)[:20]:
    print(f"{seconds:7.1f}  {name}")
print(f"\nSeconds  Test ({len(tests)} ran)")
for seconds, name in sorted(tests, reverse=True)[:20]:
    print(f"{seconds:7.1f}  {name}")
