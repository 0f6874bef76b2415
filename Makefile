# The front door: `make` says what there is. Builds lie in build/, results in out/.
JOBS ?= $(shell nproc)
PREFIX ?= /usr/local
PROGRAM := build/release/pliant
SOURCES = $(shell find src apps python tests bench -name '*.[ch]pp')

.PHONY: help demo build python wheel test soak fuzz bench reproduce lint format install packages clean
.DEFAULT_GOAL := help

help: ## Say what there is
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1	\2/p' $(MAKEFILE_LIST) | expand -t 20

demo: build ## Simulate a small scene, draw it, show it in a browser
	$(PROGRAM) run demo -o out/demo --overwrite
	$(PROGRAM) render out/demo -o out/demo-pictures --frames 0:72:6
	$(PROGRAM) render out/demo -o out/demo-pictures --frames 0,8,16,24,30,33,36,40,44,48,60,72 \
	  --montage --columns 4 --width 400 --height 225
	@echo
	@echo "The run is in out/demo, its pictures are in out/demo-pictures: montage.png shows it all."
	@if [ -t 1 ]; then $(PROGRAM) view out/demo; else echo "To see it move, in a browser: $(PROGRAM) view out/demo"; fi

build: packages ## Build the program, build/release/pliant
	cmake --preset release
	cmake --build build/release --parallel $(JOBS) --target pliant-program

python: packages ## Install the Python package in .venv, an environment of its own
	@[ -x .venv/bin/python ] || python3 -m venv .venv
	.venv/bin/pip install --disable-pip-version-check .
	@echo "Now: .venv/bin/python -c 'import pliant; print(pliant.build_info())'"

wheel: packages ## Build a wheel of the Python package with its libraries inside, in out/wheels
	tools/wheel.sh

test: ## Check everything: build, tests, installation, sanitizers, layout of the code; with ROOM=contact that room alone
	@tools/test.sh

soak: build ## Run random scenes: COUNT=1000 of them from SEED=1, with SCHEME=backward-euler; what goes wrong stays in out/soak
	tools/soak.py --count $(or $(COUNT),1000) --seed $(or $(SEED),1) --scheme $(or $(SCHEME),backward-euler)

fuzz: build ## Feed damaged files to every reader, for SECONDS=60 each
	@tools/packages.sh tests/fuzz/libfuzzer/packages.txt
	tools/fuzz.sh $(or $(SECONDS),60)

bench: packages ## Measure kernels and whole runs; write docs/performance.md and out/bench*.json
	tools/packages.sh bench/packages.txt
	cmake --preset release -DPLIANT_BENCH=ON
	cmake --build build/release --parallel $(JOBS) --target pliant-bench pliant-program
	@mkdir -p out
	build/release/pliant-bench --benchmark_out=out/bench.json --benchmark_out_format=json
	bench/programs.py $(PROGRAM) out/bench-programs.json
	bench/page.py out/bench.json out/bench-programs.json

reproduce: build ## Run the scenes of the papers at full size and write docs/reproduction.md
	tools/reproduce.py

lint: packages ## Say which files clang-format would lay out otherwise
	@clang-format --dry-run --Werror $(SOURCES)

format: packages ## Lay out all files with clang-format
	@clang-format -i $(SOURCES)

install: build ## Install program and library below PREFIX, /usr/local unless given
	DESTDIR=$(DESTDIR) cmake --install build/release --prefix $(PREFIX)

packages: ## Install the Debian packages of packages.txt that are missing
	@tools/packages.sh

clean: ## Remove all builds; results in out/ stay
	rm -rf build
