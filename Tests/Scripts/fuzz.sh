#!/usr/bin/env bash
# Fuzzes our parsers with libFuzzer, and keeps what it learns as a corpus.
#
#   Tests/Scripts/fuzz.sh [RUNS [TARGET…]]     (default: 100000 runs of every target)
#
# Swift traps on every access out of bounds by itself; SANITIZE=fuzzer,address also looks at what
# the libraries below do, at a third of the speed.
# Inputs that reach something new are added to Tests/FuzzTests/Corpus/TARGET.txt, one line of
# hexadecimal each, which `make test` replays. An input that breaks a rule stops the run; it is left
# in .build/fuzz.
set -euo pipefail
# Else the Swift runtime handles a trap before libFuzzer can keep the input.
export SWIFT_BACKTRACE=enable=no
cd "$(dirname "$0")/../.."

runs=${1:-100000}
shift || true
targets=("$@")
[ ${#targets[@]} -gt 0 ] ||
  targets=(ndef type2-memory type2-answers type4-answers classic-answers pn532 pictures)
out=.build/fuzz${SANITIZE:+-$SANITIZE}
mkdir -p "$out"

flags=(-O -swift-version 6 -package-name cliptag -sanitize="${SANITIZE:-fuzzer}" -parse-as-library
  -enable-upcoming-feature ExistentialAny -enable-upcoming-feature InternalImportsByDefault
  -enable-upcoming-feature MemberImportVisibility -I "$out" -I "$out/CCrypto")
module() {
  echo "compiling $1"
  swiftc "${flags[@]}" -wmo -module-name "$1" -emit-module -emit-module-path "$out/$1.swiftmodule" \
    -c -o "$out/$1.o" "$2"/*.swift
}
# SwiftPM makes a module of a C target by itself; here it has to be said.
mkdir -p "$out/CCrypto"
echo "module CCrypto { header \"$PWD/Sources/CCrypto/include/CCrypto.h\" export * }" \
  > "$out/CCrypto/module.modulemap"
clang -O2 -I Sources/CCrypto/include -c -o "$out/CCrypto.o" Sources/CCrypto/CCrypto.c
module NDEF Sources/NDEF
module TagTypes Sources/TagTypes
module TagAuthenticity Sources/TagAuthenticity
module SimulatedReader Sources/SimulatedReader
# Of the pictures only what is read without any library.
mkdir -p "$out/own-readers"
for name in BMPReader ColourPicture EXIF GreyPicture GreyPicture+Reduced NetpbmReader OwnReaders \
  PDFInformation PictureError PictureErrors PictureFormat PictureLimits PictureOrientation \
  VipsHeader; do
  ln -sf "$PWD/Sources/Pictures/$name.swift" "$out/own-readers/"
done
module Pictures "$out/own-readers"
module FuzzTargets Tests/FuzzTargets
swiftc "${flags[@]}" -use-ld=lld -module-name FuzzMain -o "$out/fuzz" Tests/Scripts/FuzzMain.swift \
  "$out"/{CCrypto,NDEF,TagTypes,TagAuthenticity,SimulatedReader,Pictures,FuzzTargets}.o -lcrypto

unpack() {
  python3 -c 'import sys
for number, line in enumerate(open(sys.argv[1])):
    open(f"{sys.argv[2]}/{number}", "wb").write(bytes.fromhex(line))' "$1" "$2"
}
pack() {
  python3 -c 'import pathlib, sys
inputs = {path.read_bytes() for path in pathlib.Path(sys.argv[1]).iterdir()}
lines = [data.hex() + "\n" for data in sorted(inputs, key=lambda data: (len(data), data))]
open(sys.argv[2], "w").writelines(lines)
print(len(lines), "inputs kept")' "$1" "$2"
}

for target in "${targets[@]}"; do
  corpus=Tests/FuzzTests/Corpus/$target.txt
  found=$out/found-$target kept=$out/kept-$target
  rm -rf "$kept" && mkdir -p "$found" "$kept"
  unpack "$corpus" "$kept"
  echo "fuzzing $target: $runs runs"
  if ! FUZZ_TARGET=$target "$out/fuzz" -runs="$runs" -max_len=1200 -print_final_stats=1 \
    -artifact_prefix="$out/broken-$target-" "$found" "$kept" > "$out/$target.log" 2>&1; then
    grep -E 'Fatal error|ERROR|Test unit written' "$out/$target.log" >&2
    exit 1
  fi
  grep -E '^(Done|stat::(average|peak))' "$out/$target.log"
  # Only inputs that add coverage are kept, so that the corpus stays small.
  FUZZ_TARGET=$target "$out/fuzz" -merge=1 -max_len=1200 "$kept" "$found" \
    > "$out/$target-merge.log" 2>&1
  pack "$kept" "$corpus"
done
