#!/bin/sh
# Runs every test with counters in the code and prints which share of each target's lines they
# reached. Called by make: coverage.sh SWIFT
# What the command does in a process of its own counts, too.
set -eu
swift=$1
scratch=$PWD/.build/coverage
"$swift" build --build-tests --enable-code-coverage --scratch-path "$scratch"
tests=$("$swift" build --show-bin-path --scratch-path "$scratch")/cliptagPackageTests.xctest
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=$((4 * $(nproc)))
# Not by `swift test`, which has each of two thousand processes leave a file of two megabytes; these
# add their counters to a few.
rm -rf "$scratch/counters"
LLVM_PROFILE_FILE=$scratch/counters/%4m.profraw "$tests" --testing-library swift-testing \
  > "$scratch/tests.log" 2>&1 || {
  grep -aE -A 3 'recorded an issue|[Ff]atal error' "$scratch/tests.log" | cut -c 1-300
  echo "coverage: tests failed; all they said is in $scratch/tests.log" >&2
  exit 1
}
grep -aE 'Test run with' "$scratch/tests.log"
# The tools of the same LLVM are beside the compiler.
tools=$(dirname "$(readlink -f "$(command -v "$swift")")")
"$tools/llvm-profdata" merge -sparse "$scratch"/counters/*.profraw -o "$scratch/counters/all"
"$tools/llvm-cov" export -summary-only -instr-profile "$scratch/counters/all" "$tests" \
  > "$scratch/counters/summary.json"
python3 - "$scratch/counters/summary.json" <<'PYTHON'
import json, os, sys

targets = {}
for file in json.load(open(sys.argv[1]))["data"][0]["files"]:
    name = os.path.relpath(file["filename"])
    if not name.startswith("Sources/"):
        continue
    lines = file["summary"]["lines"]
    total = targets.setdefault(name.split("/")[1], [0, 0])
    total[0] += lines["covered"]
    total[1] += lines["count"]
everything = [sum(column) for column in zip(*targets.values())]
print("| target | lines | reached by tests |\n| --- | ---: | ---: |")
for name, (covered, count) in sorted(targets.items()) + [("all", everything)]:
    print(f"| {name} | {count:,} | {100 * covered / count:.1f} % |")
PYTHON
