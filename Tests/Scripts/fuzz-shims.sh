#!/usr/bin/env bash
# Fuzzes the C shims with libFuzzer under AddressSanitizer, zbar and libnfc instrumented too.
#
#   Tests/Scripts/fuzz-shims.sh [SECONDS [SHIM…]]     (default: 60 seconds of each)
#
# zbar and libnfc are built from Debian's source packages, which are fetched into .build/fuzz-shims from
# where this machine's packages come from; the shims open those builds. The other libraries are the
# system's. What breaks a rule is left in .build/fuzz-shims, and its log's end is shown.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit
seconds=${1:-60}
shift || true
shims=("$@")
[ ${#shims[@]} -gt 0 ] || shims=(CZBar CNFC CPNG CJPEG CDeflate CExpat CSQLite CQREncode CCrypto CHarfBuzz
  CPango CHTML)
out=$PWD/.build/fuzz-shims
mkdir -p "$out/lib" "$out/lists"
# Not everything in libraries that are not ours is our business: only memory is.
address=(-g -O1 -fsanitize=address -fsanitize=fuzzer-no-link -fno-omit-frame-pointer)

# Debian's sources of a package, unpacked in $out/$1.
fetch() {
  [ -d "$out/$1" ] && return 0
  local lists=(-o "Dir::Etc::sourcelist=$out/sources.list" -o Dir::Etc::sourceparts=- -o "Dir::State::lists=$out/lists")
  if [ ! -s "$out/sources.list" ]; then
    { sed -n 's/^deb /deb-src /p' /etc/apt/sources.list 2>/dev/null
      for file in /etc/apt/sources.list.d/*.list; do [ -e "$file" ] && sed -n 's/^deb /deb-src /p' "$file"; done
      for file in /etc/apt/sources.list.d/*.sources; do
        [ -e "$file" ] || continue
        awk -v RS= '{ uris=suites=parts=key=""; n=split($0, lines, "\n")
          for (i=1; i<=n; i++) { split(lines[i], pair, ": *"); value=lines[i]; sub(/^[^:]*: */, "", value)
            if (pair[1]=="URIs") uris=value; if (pair[1]=="Suites") suites=value
            if (pair[1]=="Components") parts=value; if (pair[1]=="Signed-By") key=value }
          if (uris && suites) { m=split(suites, each, " "); for (i=1; i<=m; i++)
            print "deb-src " (key ? "[signed-by=" key "] " : "") uris " " each[i] " " parts } }' "$file"
      done; } >"$out/sources.list"
    mkdir -p "$out/lists/partial"
    apt-get "${lists[@]}" update >"$out/update.log" 2>&1
  fi
  (cd "$out" && rm -rf "fetched-$1" && mkdir "fetched-$1" && cd "fetched-$1" &&
    apt-get "${lists[@]}" source --download-only "$1" >"$out/$1.log" 2>&1 && tar xf ./*.orig.tar.* &&
    mv "$(find . -mindepth 1 -maxdepth 1 -type d | head -n 1)" "$out/$1")
}

instrument() {
  case $1 in
  zbar)
    [ -e "$out/lib/libzbar.so.0" ] && return 0
    fetch zbar || return 1
    (cd "$out/zbar" && autoreconf -fi && ./configure --disable-static --without-gtk --without-gtk3 \
      --without-qt --without-qt5 --without-python --without-python2 --without-imagemagick \
      --without-jpeg --without-x --without-xv --without-dbus --without-java --disable-video --disable-doc \
      --disable-nls CC=clang CFLAGS="${address[*]}" && make -j2 -C . zbar/libzbar.la) \
      >"$out/zbar.log" 2>&1 && cp -L "$out/zbar/zbar/.libs/libzbar.so.0" "$out/lib/" ;;
  libnfc)
    [ -e "$out/lib/libnfc.so.6" ] && return 0
    fetch libnfc || return 1
    (cd "$out/libnfc" && autoreconf -fi && ./configure --disable-static --with-drivers=pn532_uart \
      CC=clang CFLAGS="${address[*]}" && make -j2 -C libnfc) \
      >"$out/libnfc.log" 2>&1 && cp -L "$out/libnfc/libnfc/.libs/libnfc.so.6" "$out/lib/" ;;
  esac
}

for library in zbar libnfc; do
  instrument $library || echo "$library: its sources could not be had or built (see .build/fuzz-shims/$library.log); the system's is used, not instrumented"
done

status=0
for shim in "${shims[@]}"; do
  flags=() folder=$(echo Sources/*/"$shim")
  case $shim in
  CDeflate) flags=(-ldeflate) ;; CExpat) flags=(-lexpat) ;; CSQLite) flags=(-lsqlite3) ;;
  CPNG) flags=(-lpng) ;; CJPEG) flags=(-ljpeg) ;;
  CCrypto) flags=(-lcrypto) ;;
  CHarfBuzz) read -ra flags < <(pkg-config --cflags harfbuzz) ;;
  esac
  if ! clang -g -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined -D_GNU_SOURCE \
    "-DSHIM_$shim" -ISources/System/COnDemand/include "-I$folder/include" Tests/Fuzzing/ShimFuzzing/shims.c \
    "$folder/$shim.c" Sources/System/COnDemand/COnDemand.c "${flags[@]}" -ldl -lpthread \
    -o "$out/$shim" 2>"$out/$shim-build.log"; then
    echo "$shim: not built"; tail -n 5 "$out/$shim-build.log"; status=1; continue
  fi
  mkdir -p "$out/corpus-$shim"
  case $shim in
  CPNG) cp Samples/VerifyCode/sign.png "$out/corpus-$shim/" ;;
  CExpat) cp Samples/fruta/logo.svg Samples/fruta/app-clip-codes/table-1.svg "$out/corpus-$shim/" ;;
  CHTML) cp Samples/fruta/page.html "$out/corpus-$shim/" ;;
  CJPEG) printf '\0' | cat - Samples/pictures/wall-checked.jpg >"$out/corpus-$shim/wall.jpg" ;;
  CHarfBuzz) cp /usr/share/fonts/truetype/noto/NotoSansMono-Regular.ttf "$out/corpus-$shim/" 2>/dev/null ;;
  esac
  limit=4096
  case $shim in CHarfBuzz | CJPEG | CPNG) limit=200000 ;; esac
  # Leaks of libraries that keep what they made for the life of a process are no fault.
  if LD_LIBRARY_PATH="$out/lib" ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1 "$out/$shim" \
    -max_total_time="$seconds" -max_len=$limit -timeout=20 -rss_limit_mb=4096 -print_final_stats=1 \
    -artifact_prefix="$out/broken-$shim-" "$out/corpus-$shim" >"$out/$shim.log" 2>&1; then
    echo "$shim: $(sed -n 's/^stat::number_of_executed_units: *//p' "$out/$shim.log") inputs, nothing broken"
  else
    echo "$shim: BROKEN after $(sed -n 's/^stat::number_of_executed_units: *//p' "$out/$shim.log") inputs"
    grep -aE 'ERROR|SUMMARY|runtime error|#[0-9] ' "$out/$shim.log" | head -n 14
    status=1
  fi
done
exit $status
