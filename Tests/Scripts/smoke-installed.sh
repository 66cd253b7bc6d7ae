#!/usr/bin/env bash
# Runs the installed command as a newcomer would: imports the sample registry, issues a code and a
# poster and reads them back, and writes and reads a tag on a simulated reader.
#
#   Tests/Scripts/smoke-installed.sh [PREFIX]      (default: where the cliptag in the PATH is)
#
# Needs bash and what the package depends on, nothing of this folder. Ends with status 1 at the first
# step that comes out otherwise than said here.
set -euo pipefail

prefix=${1:-$(dirname "$(dirname "$(command -v cliptag)")")}
cliptag=$prefix/bin/cliptag
share=$prefix/share
samples=$share/doc/cliptag/examples/fruta
folder=$(mktemp -d)
export CLIPTAG_REGISTRY=$folder/registry.sqlite HOME=$folder
unset LIBNFC_DEVICE LIBNFC_DEFAULT_DEVICE 2>/dev/null || true
simulator=
finish() {
  [ -z "$simulator" ] || kill "$simulator" 2>/dev/null || true
  rm -rf "$folder"
}
trap finish EXIT
cd "$folder"

fail() {
  printf 'SMOKE TEST FAILED: %s\n' "$*" >&2
  exit 1
}

# expect 'WORDS' ARGUMENTS …: the command succeeds and says the words.
expect() {
  local words=$1 output
  shift
  output=$("$cliptag" "$@" 2>&1) || fail "cliptag $* ended with status $?: $output"
  case $output in
    *"$words"*) printf 'fine: cliptag %s\n' "$*" ;;
    *) fail "cliptag $* does not say \"$words\": $output" ;;
  esac
}

url=https://fruta.example.com/order/cupertino
place="37.3230,-122.0322"
expect . --version
for example in $("$cliptag" registry import --help | grep -o '/[^ ]*registry\.yaml'); do
  [ -s "$example" ] || fail "the help names $example, which is missing"
done
expect added registry import "$samples/registry.yaml"
expect ACCEPTED check "$url"
expect "read back" qr "$url" -o code.svg -o code.png -o code.pdf -o code.eps --width 40
for file in code.svg code.png code.pdf; do expect ACCEPTED scan "$file" --at "$place"; done
expect "read back" poster "$url" -o poster.pdf
expect ACCEPTED scan poster.pdf --at "$place"

mkfifo reader
"$cliptag" reader simulate --tag ntag215 >reader 2>simulator.log &
simulator=$!
IFS= read -r reader <reader || fail "the simulated reader did not start: $(cat simulator.log)"
expect "read back, equal" tag write "$url" --reader "$reader"
expect ACCEPTED tag read --reader "$reader" --at "$place"
kill "$simulator" && wait "$simulator" 2>/dev/null || true
simulator=

expect "No clip claims the host" explain unknown-host

# Completions are loaded by their own shell; bash is there as it runs this.
completion() {
  local shell=$1 file=$2 script=$3
  [ -e "$file" ] || fail "$file is missing"
  command -v "$shell" >/dev/null 2>&1 || return 0
  "$shell" -c "$script" >completion.log 2>&1 || fail "$shell does not load $file: $(cat completion.log)"
  printf 'fine: completion of %s\n' "$shell"
}
completion bash "$share/bash-completion/completions/cliptag" \
  ". '$share/bash-completion/completions/cliptag' && complete -p cliptag"
zsh=$share/zsh/vendor-completions/_cliptag
[ -e "$zsh" ] || zsh=$share/zsh/site-functions/_cliptag
completion zsh "$zsh" \
  "fpath=('${zsh%/*}' \$fpath); autoload -Uz compinit; compinit -u -D; (( \$+_comps[cliptag] )); \
   autoload -Uz +X _cliptag"
fish=$share/fish/vendor_completions.d/cliptag.fish
completion fish "$fish" "source '$fish'; and test (count (complete -C 'cliptag registry ')) -gt 2"

for page in cliptag.1 cliptag-tag-write.1; do
  [ -e "$share/man/man1/$page" ] || [ -e "$share/man/man1/$page.gz" ] || fail "no man page $page"
done
if command -v man >/dev/null 2>&1; then
  man -M "$share/man" -w cliptag >/dev/null || fail "man does not find the page of cliptag"
fi
for file in copyright NOTICE examples/fruta/registry.yaml; do
  [ -s "$share/doc/cliptag/$file" ] || fail "$share/doc/cliptag/$file is missing"
done
[ -s "$prefix/lib/udev/rules.d/60-cliptag.rules" ] || fail "the udev rules are missing"
echo "the installed command works"
