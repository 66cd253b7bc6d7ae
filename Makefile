# cliptag: build, test, show and install. `make help` lists what there is.

PREFIX ?= /usr/local
DESTDIR ?=
SWIFT ?= swift
# One shipping build: release, with the Swift runtime inside, so that the command runs where no
# Swift is installed. Switching between static and dynamic would compile everything again.
RELEASE = -c release --static-swift-stdlib --product cliptag

# What the build links, by the name pkg-config knows, and the programs that are run.
LIBRARIES = libqrencode zbar libnfc sqlite3 libpng libjpeg
PROGRAMS = pdftoppm pdfinfo rsvg-convert gs
PACKAGES = pkg-config libqrencode-dev libzbar-dev libnfc-dev libsqlite3-dev libpng-dev \
  libjpeg-dev poppler-utils librsvg2-bin ghostscript

.PHONY: help deps demo-deps build release test demo bench format lint install clean

help: ## List the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

deps: ## Install missing system packages (Debian) and check the Swift version
	@Tests/Scripts/check-dependencies.sh "$(SWIFT)" "$(LIBRARIES)" "$(PROGRAMS)" "$(PACKAGES)"

build: deps ## Build the command and the libraries (debug)
	$(SWIFT) build

release: deps ## Build the command as it ships
	$(SWIFT) build $(RELEASE) --scratch-path .build/release-static

test: deps ## Run every test
	$(SWIFT) build --build-tests
	$(SWIFT) test --skip-build --disable-xctest

demo-deps: deps
	@Samples/demo/check-python.sh

demo: demo-deps ## Build, then play the main job from nothing, with real output and files
	@echo "Building cliptag (the first time takes two to three minutes) ..."
	$(SWIFT) build --product cliptag
	@CLIPTAG="$$($(SWIFT) build --show-bin-path)/cliptag" Samples/demo/run.sh

bench: demo-deps ## Measure: start-up, one qr, one scan, one tag write, 100,000 experiences
	$(SWIFT) build $(RELEASE) --scratch-path .build/release-static
	$(SWIFT) build -c release --static-swift-stdlib --product Benchmarks --scratch-path .build/release-static
	.build/release-static/release/Benchmarks .build/release-static/release/cliptag

format: ## Format the sources
	$(SWIFT) format --in-place --recursive Package.swift Sources Tests

lint: ## Check the format as CI does
	$(SWIFT) format lint --strict --recursive Package.swift Sources Tests

install: release ## Install the command and its completions under PREFIX
	install -D -m 755 .build/release-static/release/cliptag $(DESTDIR)$(PREFIX)/bin/cliptag
	install -d $(DESTDIR)$(PREFIX)/share/bash-completion/completions \
	  $(DESTDIR)$(PREFIX)/share/zsh/vendor-completions $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d
	.build/release-static/release/cliptag --generate-completion-script bash \
	  > $(DESTDIR)$(PREFIX)/share/bash-completion/completions/cliptag
	.build/release-static/release/cliptag --generate-completion-script zsh \
	  > $(DESTDIR)$(PREFIX)/share/zsh/vendor-completions/_cliptag
	.build/release-static/release/cliptag --generate-completion-script fish \
	  > $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/cliptag.fish

clean: ## Remove what was built
	rm -rf .build
