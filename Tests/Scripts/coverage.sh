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
# A file for each process: where they add to one file, those that are killed on purpose spoil it.
counters=$scratch/counters
rm -rf "$counters"
status=0
LLVM_PROFILE_FILE=$counters/%p.profraw "$tests" --testing-library swift-testing \
  > "$scratch/tests.log" 2>&1 || status=$?
grep -aE 'Test run with' "$scratch/tests.log" || true
# The tools of the same LLVM are beside the compiler.
tools=$(dirname "$(readlink -f "$(command -v "$swift")")")
find "$counters" -name '*.profraw' > "$scratch/counters.txt"
# What a killed process left may be no whole file.
"$tools/llvm-profdata" merge -sparse -failure-mode=all -f "$scratch/counters.txt" \
  -o "$scratch/counters.all" 2> "$scratch/merge.log"
rm -rf "$counters"
"$tools/llvm-cov" export -summary-only -instr-profile "$scratch/counters.all" "$tests" \
  > "$scratch/summary.json"
python3 - "$scratch/summary.json" <<'PYTHON'
import json, os, sys

targets = {}
for file in json.load(open(sys.argv[1]))["data"][0]["files"]:
    name = os.path.relpath(file["filename"])
    if not name.startswith("Sources/"):
        continue
    lines = file["summary"]["lines"]
    total = targets.setdefault(name.split("/")[2], [0, 0])
    total[0] += lines["covered"]
    total[1] += lines["count"]
everything = [sum(column) for column in zip(*targets.values())]
print("| target | lines | reached by tests |\n| --- | ---: | ---: |")
for name, (covered, count) in sorted(targets.items()) + [("all", everything)]:
    print(f"| {name} | {count:,} | {100 * covered / count:.1f} % |")
PYTHON
[ "$status" -eq 0 ] || {
  grep -aE -A 3 'recorded an issue|[Ff]atal error' "$scratch/tests.log" | cut -c 1-300
  echo "coverage: tests failed; all they said is in $scratch/tests.log" >&2
  exit 1
}
