# cliptag: build, test, show and install. `make help` lists what there is.

PREFIX ?= /usr/local
DESTDIR ?=
SWIFT ?= swift
# One optimised build, with the Swift runtime inside, so that the command runs where no Swift is
# installed. Switching between static and dynamic, or between with and without the compiler's records for
# debuggers, would compile everything again. Those records cost the compiler time, and none is shipped.
OPTIMISED = -c release --static-swift-stdlib -debug-info-format none --scratch-path .build/release-static
# Without its symbols the command is half as large and starts faster; nothing looks its functions up by
# name, which the linker would otherwise export. Every function is bound before it runs, and the tables
# of functions are read-only from then on.
RELEASE = $(OPTIMISED) --product cliptag -Xlinker -s -Xlinker -z -Xlinker relro -Xlinker -z -Xlinker now \
  -Xlinker --no-export-dynamic

# Debug builds carry no records for debuggers, which cost the compiler a seventh of its time: a failed test
# names its file and line without them, a crash its functions. `make test DEBUG_INFO=dwarf` makes them, and
# compiles everything again.
DEBUG_INFO = none
DEBUG = -debug-info-format $(DEBUG_INFO)

# In debug builds the loops over pixels are optimised, too (see Package.swift), which halves the time
# of the tests that scan pictures.
export CLIPTAG_OPTIMISED_PIXELS = 1
# The versions of packages that Package.swift names for releases, instead of the newest permitted ones.
export CLIPTAG_RELEASED_VERSIONS = 1

# What the build links, by the name pkg-config knows, the programs that are run, and the fonts and
# label stock that are read (by Debian's file names).
LIBRARIES = libqrencode zbar libnfc sqlite3 libpng libjpeg libcrypto libdeflate pangoft2 \
  harfbuzz-subset fontconfig expat libcurl libxml-2.0 libarchive libpcsclite libpq
PROGRAMS = readelf pdftoppm pdfinfo qpdf rsvg-convert vips vipsheader gs weasyprint
PACKAGES = binutils pkg-config libqrencode-dev libzbar-dev libnfc-dev libsqlite3-dev libpng-dev \
  libjpeg-dev libssl-dev libdeflate-dev libpango1.0-dev libexpat1-dev libcurl4-openssl-dev libxml2-dev \
  libarchive-dev libpcsclite-dev libpq-dev libhyphen-dev hyphen-de hyphen-en-us poppler-utils qpdf librsvg2-bin libvips-tools ghostscript weasyprint fonts-noto-core \
  fonts-noto-cjk glabels-data
FILES = /usr/share/fonts/truetype/noto/NotoSansArabic-Regular.ttf \
  /usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc \
  /usr/share/libglabels-3.0/templates/paper-sizes.xml /usr/include/hyphen.h \
  /usr/share/hyphen/hyph_de_DE.dic /usr/share/hyphen/hyph_en_US.dic
# What only the tests run: other readers of what is written here, a server of HTTPS, gpsd, the smart
# card service with a driver for cards that are programs, PostgreSQL, and shells; a browser for the
# station.
TEST_PROGRAMS = mutool mandoc openssl /usr/bin/python3 /usr/sbin/gpsd /usr/sbin/pcscd pcsc_scan opensc-tool faketime psql pg_lsclusters zsh fish
TEST_PACKAGES = mupdf-tools mandoc openssl python3 python3-jsonschema python3-yaml gpsd pcscd vsmartcard-vpcd python3-pyscard \
  pcsc-tools opensc faketime postgresql zsh fish
BROWSER_PROGRAMS = chromium chromedriver
BROWSER_PACKAGES = chromium chromium-driver python3-pip
# The suites that drive a browser.
BROWSER_SUITES = StationBrowserTests|StationControlsTests
TEST_FILES = /usr/lib/python3/dist-packages/jsonschema/__init__.py /usr/lib/python3/dist-packages/yaml/__init__.py /usr/lib/pcsc/drivers/serial/libifdvpcd.so /usr/lib/python3/dist-packages/smartcard/__init__.py
CHECK = Tests/Scripts/check-dependencies.sh "$(SWIFT)"

# No target is a file of that name.
.PHONY: $(shell sed -n 's/^\([a-z-]*\):.*/\1/p' $(firstword $(MAKEFILE_LIST)))

help: ## List the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

deps: ## Install missing system packages (apt, dnf or apk) and check the Swift version
	@$(CHECK) "$(LIBRARIES)" "$(PROGRAMS)" "$(PACKAGES)" "$(FILES)"

test-deps: deps
	@$(CHECK) "" "$(TEST_PROGRAMS)" "$(TEST_PACKAGES)" "$(TEST_FILES)"

browser-deps: test-deps
	@$(CHECK) "" "$(BROWSER_PROGRAMS)" "$(BROWSER_PACKAGES)" ""
	@Tests/Scripts/fetch-axe.sh .build/axe

build: deps ## Build the command and the libraries (debug)
	$(SWIFT) build $(DEBUG)

# The commit that --version names; none outside of a checkout.
COMMIT = $(shell git rev-parse --short=12 HEAD 2>/dev/null)$(shell git diff --quiet HEAD 2>/dev/null || echo +)

release: deps ## Build the command as it ships
	$(if $(COMMIT),CLIPTAG_COMMIT='$(COMMIT)') $(SWIFT) build $(RELEASE)

test: test-deps ## Run the tests but those of a browser (FILTER=TagTypesTests for some, RECORDS=folder to add recorded sessions)
	$(SWIFT) build $(DEBUG) --build-tests
	@CLIPTAG_RECORDS='$(RECORDS)' Tests/Scripts/run-tests.sh "$(SWIFT)" $(DEBUG) --skip '$(BROWSER_SUITES)' $(if $(FILTER),--filter '$(FILTER)')

test-browser: browser-deps ## Run the tests that use every page of the station in a browser
	$(SWIFT) build $(DEBUG) --build-tests
	@Tests/Scripts/run-tests.sh "$(SWIFT)" $(DEBUG) --filter '$(or $(FILTER),$(BROWSER_SUITES))'

test-all: test test-browser samples docs ## Run every test and the samples, and make the documentation

test-times: test-deps ## List the time of each test target and suite, run one by one (NAMES="Station Tag" for some)
	@Tests/Scripts/with-postgresql.sh Tests/Scripts/test-times.py "$(SWIFT)" "$(DEBUG)" $(NAMES)

demo-deps: deps
	@Samples/demo/check-python.sh

demo: demo-deps ## Build, then play the main job from nothing, with real output and files
	@echo "Building cliptag (the first time takes three to five minutes) ..."
	$(SWIFT) build $(DEBUG) --product cliptag
	@CLIPTAG="$$($(SWIFT) build --show-bin-path)/cliptag" Samples/demo/run.sh

freeze: demo-deps ## Write what users and scripts rely on into Tests/Freeze
	$(SWIFT) build $(DEBUG) --product cliptag
	@Tests/Scripts/freeze.py "$(SWIFT)"

freeze-check: demo-deps ## Compare what users and scripts rely on with Tests/Freeze
	$(SWIFT) build $(DEBUG) --product cliptag
	@Tests/Scripts/freeze.py "$(SWIFT)" --check

readme-tasks: ## Do the README's five tasks as they are printed (CLIPTAG names another command)
	Tests/Scripts/readme-tasks.sh $(or $(CLIPTAG),.build/release-static/release/cliptag)

pictures: demo-deps ## Make the README's pictures anew, with cliptag itself
	$(SWIFT) build $(RELEASE)
	@CLIPTAG="$(CURDIR)/.build/release-static/release/cliptag" Samples/pictures/make.sh

docs: test-deps field-guide ## Make the documentation as a site, without a warning or a broken link (BASE_PATH=/cliptag)
	$(SWIFT) build $(DEBUG)
	Tests/Scripts/docs/make-docs.py "$(SWIFT)" .build/docs $(BASE_PATH)

link-list: ## List the addresses elsewhere in Markdown and, after `make docs`, in the site; no network
	Tests/Scripts/docs/check-links.py --external $(wildcard .build/docs/site) $(BASE_PATH)

samples: test-deps ## Build and run the packages of Samples as their READMEs say
	Tests/Scripts/run-samples.py "$(SWIFT)" "$(DEBUG)" .build/samples

products: deps ## Measure what each product costs a package that uses it
	Tests/Scripts/measure-products.py "$(SWIFT)" .build/products

field-guide: ## Make the field guide's two pages as PDF
	@$(CHECK) "" "cmark-gfm weasyprint pdfinfo" \
	  "cmark-gfm weasyprint poppler-utils fonts-noto-core fonts-dejavu-core" ""
	@Tests/Scripts/make-field-guide.sh .build/manual/field-guide.pdf

bench: demo-deps ## Measure whole commands beside others (PARTS="start-up codes scan pictures clipcodes tags …")
	$(SWIFT) build $(RELEASE)
	$(SWIFT) build $(OPTIMISED) --product Benchmarks
	CLIPTAG_TEST_DURABLE=1 Tests/Scripts/with-postgresql.sh \
	  .build/release-static/release/Benchmarks .build/release-static/release/cliptag $(PARTS)

faults: deps ## Put every simulated fault into every step of work on a tag (OPERATIONS="--readers=libnfc,acr1552 write-blank …" for some)
	$(SWIFT) build $(OPTIMISED) --product FaultMatrix
	.build/release-static/release/FaultMatrix $(OPERATIONS)

scan-trials: deps ## Scan folders of pictures whose codes are known (FOLDERS="…", OPTIONS="--list …")
	$(SWIFT) build $(OPTIMISED) --product ScanTrials
	.build/release-static/release/ScanTrials $(OPTIONS) $(FOLDERS)

fuzz: deps ## Fuzz every parser and the scanner, RUNS inputs each (100,000), or SECONDS_EACH seconds
	FUZZ_SECONDS=$(SECONDS_EACH) Tests/Scripts/fuzz.sh $(or $(RUNS),100000)

fuzz-shims: deps ## Fuzz the C shims under AddressSanitizer, zbar and libnfc too, SECONDS_EACH (60)
	@$(CHECK) "" "autoreconf libtoolize" "autoconf automake libtool gettext autopoint" ""
	Tests/Scripts/fuzz-shims.sh $(or $(SECONDS_EACH),60)

coverage: browser-deps ## Run every test and tell which share of each target's lines they reach
	@Tests/Scripts/coverage.sh "$(SWIFT)"

check: browser-deps ## Run all that a release must pass, for hours (STEPS="lint test address thread fuzz docs package smoke demo")
	@SWIFT="$(SWIFT)" Tests/Scripts/check.sh $(STEPS)

# The pages of a build are the same bytes; SOURCE_DATE_EPOCH changes their date.
MANUAL = .build/manual

manual: release ## Write the man pages into .build/manual/man (read them with man -l)
	rm -rf $(MANUAL)/man
	.build/release-static/release/cliptag manual --output $(MANUAL)/man

codes: deps ## Write the lists of findings, failures and registry keys anew from the sources
	$(SWIFT) build $(DEBUG) --product cliptag
	"$$($(SWIFT) build --show-bin-path)/cliptag" manual --codes Sources/Faces/cliptag/cliptag.docc/Codes.md \
	  --keys Sources/Faces/cliptag/cliptag.docc/RegistryKeys.md

schemas: deps ## Write the schemas of results anew from the types
	CLIPTAG_WRITE_SCHEMAS=1 $(SWIFT) test $(DEBUG) --disable-xctest --filter ResultSchemaTests

format: ## Format the sources
	$(SWIFT) format --in-place --recursive Package.swift Sources Tests Samples

lint-deps:
	@$(CHECK) "" "shellcheck objdump" "shellcheck binutils" ""

lint: lint-deps ## Check the format, the shell scripts, the C declarations, links in Markdown, and that nothing names this system alone
	$(SWIFT) format lint --strict --recursive Package.swift Sources Tests Samples
	shellcheck .ci/run $$(find Samples Sources Tests -name '*.sh')
	Tests/Scripts/check-portability.py
	Tests/Scripts/check-declarations.sh
	Tests/Scripts/docs/check-links.py

# Built as whoever owns the folder; only copied here, so that sudo neither needs Swift nor leaves
# files of root behind. The field guide is installed when it was made before (`make field-guide`).
BINARY ?= .build/release-static/release/cliptag
SHARE = $(DESTDIR)$(PREFIX)/share
DOCUMENTS = $(SHARE)/doc/cliptag
PACKAGING = Sources/Faces/cliptag/Packaging
# Where zsh of Debian looks: one folder for packages, another for what is installed by hand.
ZSH = $(SHARE)/zsh/$(if $(filter /usr,$(PREFIX)),vendor-completions,site-functions)
COMPLETIONS = $(SHARE)/bash-completion/completions/cliptag $(ZSH)/_cliptag \
  $(SHARE)/fish/vendor_completions.d/cliptag.fish
RULES = $(DESTDIR)$(PREFIX)/lib/udev/rules.d/60-cliptag.rules

install: ## Install the command, man pages, completions, udev rules and licences under PREFIX
	@test -x $(BINARY) || $(MAKE) release
	install -D -m 755 $(BINARY) $(DESTDIR)$(PREFIX)/bin/cliptag
	$(PACKAGING)/drop-runpath.sh $(DESTDIR)$(PREFIX)/bin/cliptag
	install -d $(dir $(COMPLETIONS)) $(DOCUMENTS)/examples
	$(BINARY) --generate-completion-script bash > $(word 1,$(COMPLETIONS))
	$(BINARY) --generate-completion-script zsh > $(word 2,$(COMPLETIONS))
	$(BINARY) --generate-completion-script fish > $(word 3,$(COMPLETIONS))
	$(BINARY) manual --output $(SHARE)/man --examples $(PREFIX)/share/doc/cliptag/examples
	install -m 644 LICENSE NOTICE $(wildcard README.md CHANGELOG.md SECURITY.md) $(PACKAGING)/copyright \
	  $(wildcard .build/manual/field-guide.pdf) $(DOCUMENTS)
	cp -R Samples/fruta Samples/city $(DOCUMENTS)/examples
	chmod -R u=rwX,go=rX $(DOCUMENTS)/examples
	install -m 644 $(PACKAGING)/nfc-kernel-modules.conf $(DOCUMENTS)/examples
	for folder in .build/release-static/checkouts/*; do \
	  install -m 644 $$folder/LICENSE* $(DOCUMENTS)/LICENSE.$${folder##*/}; done
	install -D -m 644 $(PACKAGING)/60-cliptag.rules $(RULES)

uninstall: ## Remove what `make install` with the same PREFIX installed
	rm -f $(DESTDIR)$(PREFIX)/bin/cliptag $(COMPLETIONS) $(RULES) \
	  $(SHARE)/man/man1/cliptag.1 $(SHARE)/man/man1/cliptag-*.1 $(SHARE)/man/man5/cliptag-*.5 \
	  $(SHARE)/man/man7/cliptag-*.7
	rm -rf $(DOCUMENTS)

deb-deps:
	@$(CHECK) "" "dpkg-deb dpkg-shlibdeps" "dpkg-dev" ""

# The system's libraries are those of this machine. After an installation the program differs by its
# search path for libraries, so that a package describes the installed one.
SBOM ?= .build/sbom/cliptag.spdx.json

sbom: ## List what the build contains, links and runs as SPDX in .build/sbom (with checksums after `make release`)
	$(PACKAGING)/make-sbom.py "$(SWIFT)" $(BINARY) $(SBOM) "$(LIBRARIES)" "$(PROGRAMS)"

deb: release field-guide deb-deps ## Make a Debian package for this kind of machine in .build/deb
	$(PACKAGING)/make-deb.sh $(BINARY) .build/deb

try-deb: deb ## Install the package on a new Debian 12 (debootstrap, as root) and try it there
	Tests/Scripts/try-package.sh "$$(ls -t .build/deb/cliptag_*.deb | head -n 1)"

smoke: release ## Install into a temporary folder and try what was installed
	@folder=$$(mktemp -d) && trap 'rm -rf "$$folder"' EXIT && \
	  $(MAKE) --no-print-directory install DESTDIR="$$folder" PREFIX=/usr >/dev/null && \
	  Tests/Scripts/check-binary.sh "$$folder/usr/bin/cliptag" && \
	  Tests/Scripts/smoke-installed.sh "$$folder/usr" && \
	  $(MAKE) --no-print-directory uninstall DESTDIR="$$folder" PREFIX=/usr >/dev/null && \
	  left=$$(find "$$folder" -type f) && if [ -n "$$left" ]; then echo "left behind: $$left"; exit 1; fi

clean: ## Remove what was built
	rm -rf .build
