#!/usr/bin/env bash
# Fuzzes our parsers with libFuzzer, and keeps what it learns as a corpus.
#
#   Tests/Scripts/fuzz.sh [RUNS [TARGET…]]     (default: 100000 runs of every target)
#
# Swift traps on every access out of bounds by itself; SANITIZE=fuzzer,address also looks at what
# the libraries below do, at a third of the speed.
# FUZZ_SECONDS=60 gives each target that time instead of a number of runs, and keeps nothing.
# Inputs that reach something new are added to Tests/Fuzzing/FuzzTests/Corpus/TARGET.txt, one line of
# hexadecimal each, which `make test` replays. An input that breaks a rule stops the run; it is left
# in .build/fuzz.
set -euo pipefail
# Else the Swift runtime handles a trap before libFuzzer can keep the input.
export SWIFT_BACKTRACE=enable=no
cd "$(dirname "$0")/../.."

runs=${1:-100000}
shift || true
if [ -n "${FUZZ_SECONDS:-}" ]; then
  limit=-max_total_time=$FUZZ_SECONDS amount="$FUZZ_SECONDS seconds"
else
  limit=-runs=$runs amount="$runs runs"
fi
targets=("$@")
[ ${#targets[@]} -gt 0 ] ||
  targets=(ndef type2-memory type2-answers type4-answers type5-answers type5-tag plans pn532 session session-mask pictures
    locator sampler codewords association applinks banner entitlements connect invocation registry record gpsd
    nmea exif)
out=.build/fuzz${SANITIZE:+-$SANITIZE}
mkdir -p "$out"

flags=(-O -swift-version 6 -package-name cliptag -sanitize="${SANITIZE:-fuzzer}" -parse-as-library
  -enable-upcoming-feature ExistentialAny -enable-upcoming-feature InternalImportsByDefault
  -enable-upcoming-feature MemberImportVisibility -I "$out" -I "$out/CCrypto" -I "$out/CZBar"
  -I "$out/CHTML")
module() {
  echo "compiling $1"
  # shellcheck disable=SC2046 # One name a line, and no spaces in any.
  swiftc "${flags[@]}" -wmo -module-name "$1" -emit-module -emit-module-path "$out/$1.swiftmodule" \
    -c -o "$out/$1.o" "${@:3}" $(find -L "$2" -name '*.swift' | sort)
}
# SwiftPM makes a module of a C target by itself; here it has to be said.
for shim in CCrypto CZBar CHTML; do
  mkdir -p "$out/$shim"
  echo "module $shim { header \"$(echo "$PWD"/Sources/*/$shim)/include/$shim.h\" export * }" \
    > "$out/$shim/module.modulemap"
done
clang -O2 -I Sources/System/CCrypto/include -c -o "$out/CCrypto.o" Sources/System/CCrypto/CCrypto.c
# Those whose library is opened on demand.
clang -O2 -I Sources/System/COnDemand/include -c -o "$out/COnDemand.o" Sources/System/COnDemand/COnDemand.c
for shim in CZBar CHTML; do
  folder=$(echo Sources/*/$shim)
  clang -O2 -I Sources/System/COnDemand/include -I "$folder/include" -c -o "$out/$shim.o" "$folder/$shim.c"
done
module CliptagPlatform Sources/System/CliptagPlatform
module CliptagBasics Sources/System/CliptagBasics
module NDEF Sources/Tags/NDEF
module TagTypes Sources/Tags/TagTypes
module TagAuthenticity Sources/Tags/TagAuthenticity
module SecureTags Sources/Tags/SecureTags
module SimulatedReader Sources/Tags/SimulatedReader
# Of the pictures only what is read without any library.
part() {
  rm -rf "${out:?}/$1" && mkdir "$out/$1"
  ln -s "${@:2}" "$out/$1/"
}
part own-readers "$PWD/Sources/Codes/Pictures"/{PictureError,PictureFormat,PictureLimits,PictureParts}.swift \
  "$PWD/Sources/Codes/Pictures"/Pixels/*.swift "$PWD/Sources/Codes/Pictures/Documents/DocumentFacts.swift" \
  "$PWD/Sources/Codes/Pictures"/Formats/{BMPReader,EXIF,NetpbmReader,OwnReaders}.swift
module Pictures "$out/own-readers"
module SymbolStructure Sources/Codes/SymbolStructure
module AppClipCodes Sources/Codes/AppClipCodes
# Of the scanner what looks at pixels and modules; the targets use what it does not offer others.
part own-scanner "$PWD/Sources/Codes/CodeScanning"/{Locating,Sampling,Codewords}/*.swift \
  "$PWD/Sources/Codes/CodeScanning"/{CodeText,DecodedCode,ScanResult,Search/Scaling,ZBar/ZBarPass}.swift
module CodeScanning "$out/own-scanner" -enable-testing
# Comparisons of pixels teach libFuzzer nothing, and to note each of them takes half of the time.
kinds=({,const_}cmp{1,2,4,8})
printf 'void ignored_%s(void) {}\n' "${kinds[@]}" | clang -O2 -x c -c -o "$out/ignored.o" -
printf '%s\n' "${kinds[@]}" | sed 's/.*/__sanitizer_cov_trace_& ignored_&/' > "$out/ignored.txt"
objcopy --redefine-syms="$out/ignored.txt" "$out/CodeScanning.o"
# Its folders are for people.
part invocation "$PWD/Sources/AppClips/Invocation"/*/*.swift
module Invocation "$out/invocation" -enable-testing
# Of the registry its files, with the YAML library as it is: not instrumented, as it is not ours.
yams=.build/checkouts/Yams/Sources
[ -d "$yams" ] || swift package resolve
mkdir -p "$out/yaml"
for file in "$yams"/CYaml/src/*.c; do
  clang -O2 -I "$yams/CYaml/include" -c -o "$out/yaml/$(basename "$file" .c).o" "$file"
done
ld -r -o "$out/CYaml.o" "$out"/yaml/*.o
echo "compiling Yams"
swiftc -O -wmo -parse-as-library -DSWIFT_PACKAGE -module-name Yams -I "$yams/CYaml/include" \
  -emit-module -emit-module-path "$out/Yams.swiftmodule" -c -o "$out/Yams.o" "$yams"/Yams/*.swift
part registry-documents "$PWD/Sources/AppClips/RegistryDocuments"/{RegistryError,Document/*,Lint/*}.swift
module RegistryDocuments "$out/registry-documents" -I "$yams/CYaml/include"
part registry \
  "$PWD/Sources/Registry/Registry"/Record/{RecordEntry*,RecordSubject,Recorder,SignedText,FlatJSON,Checkpoint}.swift \
  "$PWD/Sources/Registry/Registry"/{Store/ByteKey,Codes/{CodeEvent,CodeID,IssuedCode}}.swift
module Registry "$out/registry" -I "$yams/CYaml/include"
part web-pages "$PWD/Sources/System/WebFetching"/{MetaCollector,WebPage}.swift
module WebFetching "$out/web-pages"
# Of positions what receivers say; their devices stand aside.
part own-positions "$PWD/Sources/AppClips/PositionSources"/{PositionReport,GPSD/GPSDMessage}.swift \
  "$PWD/Sources/AppClips/PositionSources"/{NMEA/NMEA*,Finding/Position{Average,Filter},Support/UTCTime}.swift
module PositionSources "$out/own-positions"
# Of App Store Connect what reads its answers; the network stands aside.
part own-connect "$PWD/Sources/AppClips/AppStoreConnect"/{AppStoreConnectError,Content/*,Push/Push{Body,Plan,Step}}.swift \
  "$PWD/Sources/AppClips/AppStoreConnect"/API/{AnswerFields,AnswerSource,ConnectRequest,ResourceDocument}.swift
module AppStoreConnect "$out/own-connect"
part check-codewords "$PWD/Tests/Support/ScanFixtures/CheckCodewords.swift"
module ScanFixtures "$out/check-codewords"
module FuzzTargets Tests/Fuzzing/FuzzTests/Targets -I "$yams/CYaml/include"
swiftc "${flags[@]}" -use-ld=lld -module-name FuzzMain -o "$out/fuzz" -I "$yams/CYaml/include" Tests/Scripts/FuzzMain.swift \
  "$out"/{CCrypto,CliptagPlatform,CliptagBasics,NDEF,TagTypes,TagAuthenticity,SecureTags,SimulatedReader,Pictures}.o \
  "$out"/{SymbolStructure,AppClipCodes,COnDemand,CZBar,CodeScanning,Invocation,CYaml,Yams,RegistryDocuments,Registry}.o \
  "$out"/{CHTML,WebFetching,AppStoreConnect,PositionSources,ScanFixtures,FuzzTargets,ignored}.o -lcrypto

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
  corpus=Tests/Fuzzing/FuzzTests/Corpus/$target.txt
  found=$out/found-$target kept=$out/kept-$target
  rm -rf "$kept" && mkdir -p "$found" "$kept"
  unpack "$corpus" "$kept"
  echo "fuzzing $target: $amount"
  if ! FUZZ_TARGET=$target "$out/fuzz" "$limit" -max_len=1200 -print_final_stats=1 \
    -artifact_prefix="$out/broken-$target-" "$found" "$kept" > "$out/$target.log" 2>&1; then
    grep -E 'Fatal error|ERROR|Test unit written' "$out/$target.log" >&2
    exit 1
  fi
  grep -E '^(Done|stat::(average|peak))' "$out/$target.log"
  [ -z "${FUZZ_SECONDS:-}" ] || continue
  # Only inputs that add coverage are kept, so that the corpus stays small.
  FUZZ_TARGET=$target "$out/fuzz" -merge=1 -max_len=1200 "$kept" "$found" \
    > "$out/$target-merge.log" 2>&1
  pack "$kept" "$corpus"
done
