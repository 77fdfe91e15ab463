# `make demo` and `make test` do all the set-up on a fresh Debian 12 or 13; `make help` lists the rest.
.DEFAULT_GOAL := help
.PHONY: help demo demo-web docs docs-site static dist dist-check parquet test test-data test-web test-neon test-python test-spark test-additions test-portable sanitize sanitize-all fuzz clang tsan check format prose tidy test-shared recipes check-data check-audit bench clean

CTEST := ctest --output-on-failure --no-tests=error --parallel $(shell nproc)
# clang 14's ThreadSanitizer cannot run if the kernel randomises addresses by more than 28 bits.
TSAN_RUN := env TSAN_OPTIONS=suppressions=$(CURDIR)/tools/tsan_suppressions.txt \
  $(shell setarch -R true 2>/dev/null && echo setarch -R)
TSAN_CTEST := $(TSAN_RUN) $(CTEST)
# Quick command-line tests with files made by somebody else.
HOSTILE := (bad_formats|bad_input|bad_items|dialects|earlier_files|encodings|hostile_files|link_odd_inputs|long_rows|vector_files)

help:  ## lists these targets
	@sed -nE 's/^([a-z-]+):.*## (.*)/\1|\2/p' $(MAKEFILE_LIST) | \
		while IFS='|' read -r name what; do printf '  make %-16s %s\n' "$$name" "$$what"; done

demo:  ## builds sosie (build/release/sosie) and removes near-duplicates from the sample
	@tools/install_packages.sh build
	@cmake --preset release >/dev/null
	@cmake --build --preset release --target sosie_cli
	@python3 tests/golden/demo.py --sosie build/release/sosie --out build/demo

static:  ## one executable without shared libraries, for any Linux of this architecture
	@tools/install_packages.sh build dist
	tools/build_static.sh

dist:  ## dist/: tarballs of the static program (x86-64, aarch64), Debian packages, wheels, SBOM, checksums
	@tools/install_packages.sh build dist python neon
	tools/build_dist.sh

dist-check:  ## after `make dist`, proves what is in dist/ and writes docs/dist-check.md; needs root
	@tools/install_packages.sh build dist dist-check neon
	python3 tools/dist_check.py

parquet:  ## builds the plugin that lets the program (build/release/sosie) read Parquet and Arrow files
	tools/install_packages.sh build python
	tools/build_arrow.sh

test:  ## unit, property, golden, command line, docs, install, Python, Spark; SOSIE_TESTS=whole: dear ones in full size
	tools/install_packages.sh build test python spark
	cmake --preset release -D SOSIE_TESTS=ON
	cmake --build --preset release
	$(CTEST) --test-dir build/release
	tools/test_python.sh
	tools/test_spark.sh $(SPARK)

test-data:  ## after `make test`, the tests of whole data sets: SOSIE_DATA=folder
	@test -d "$(SOSIE_DATA)" || { echo "usage: make test-data SOSIE_DATA=folder" >&2; exit 2; }
	cmake --preset release -D SOSIE_TESTS=ON
	cmake --build --preset release
	SOSIE_TESTS=data SOSIE_DATA="$(abspath $(SOSIE_DATA))" $(CTEST) --test-dir build/release --label-regex '^data$$'

test-web:  ## report and page of `sosie serve` in headless Chromium; its API by the OpenAPI document
	tools/install_packages.sh build python web
	cmake --preset release
	cmake --build --preset release --target sosie_cli sosie_server
	SOSIE_BIN=build/release/sosie python3 tests/web/report_test.py
	tools/test_page.sh build/release/sosie || test $$? -eq 77  # skipped
	tools/test_schema.sh build/release/sosie

demo-web:  ## reviews a run over the sample in the browser: prints the address, Ctrl-C ends it
	@tools/install_packages.sh build
	@cmake --preset release >/dev/null
	@cmake --build --preset release --target sosie_cli sosie_server
	@build/release/sosie dedup samples/man-pages.jsonl -o build/demo-web.jsonl --save build/demo-web --overwrite=all -q
	@build/release/sosie serve build/demo-web

test-neon:  ## the kernels' tests on NEON: built for aarch64, run by qemu
	tools/install_packages.sh neon
	tools/test_neon.sh || test $$? -eq 77  # skipped

docs:  ## writes man page, completions and docs/reference.md from the table of options
	tools/install_packages.sh build test
	cmake --preset release -D SOSIE_TESTS=ON
	cmake --build --preset release --target sosie_docs
	build/release/apps/docs/sosie_docs .

docs-site:  ## after `make test-python`: the documentation as a site, build/site/html
	tools/install_packages.sh site
	tools/docs_site.sh

check: format prose tidy  ## formatting, prose of comments and clang-tidy

format:
	tools/install_packages.sh check
	tools/check_format.sh

prose:
	python3 tools/check_prose.py .

tidy:  ## clang-tidy; TIDY=--changed: of folders that changed since .ci/checked, and --record writes it
	tools/install_packages.sh build test tidy
	cmake --preset release -B build/tidy -D SOSIE_TESTS=ON -D SOSIE_BATCHES=OFF \
	  -D CMAKE_DISABLE_PRECOMPILE_HEADERS=ON
	python3 tools/check_tidy.py $(TIDY) build/tidy

test-python:  ## builds the Python package's wheel and runs its tests in a virtual environment
	tools/install_packages.sh build python
	tools/test_python.sh

test-spark:  ## after `make test-python`: its wheel on a local Spark
	tools/install_packages.sh spark
	tools/test_spark.sh $(SPARK)

test-additions:  ## adds a measure, a format, a family, an option to a copy of the tree; they must work
	tools/install_packages.sh build test
	python3 tools/test_additions.py .

sanitize:  ## unit tests and quick tests under AddressSanitizer + UBSan, then ThreadSanitizer
	tools/install_packages.sh build test clang
	cmake --preset asan
	cmake --build --preset asan
	$(CTEST) --test-dir build/asan --label-exclude '^slow$$' --timeout 1200
	cmake --preset tsan
	cmake --build --preset tsan
	$(TSAN_CTEST) --test-dir build/tsan --label-exclude '^slow$$' --timeout 1200

sanitize-all:  ## every test under both; hours, in parts that resume: PART="asan 3" (of 12)
	tools/install_packages.sh build test clang
	tools/sanitize_all.sh $(PART)

FUZZ_SECONDS ?= 600
fuzz:  ## runs every fuzz target for FUZZ_SECONDS (600), or those that FUZZ names
	tools/install_packages.sh build test clang
	tools/fuzz_all.sh $(FUZZ_SECONDS) $(FUZZ)

# Compiling without loop optimisation saves more time than these tests lose.
clang:  ## built by clang under AddressSanitizer + UBSan: the demo's bytes, and what reads and stores files
	tools/install_packages.sh build test clang
	cmake --preset asan -B build/clang -D SOSIE_OPTIMIZED_LOOPS=OFF
	cmake --build build/clang --target sosie_cli sosie_faults io_test read_test represent_test store_test
	$(CTEST) --test-dir build/clang -R '^(golden:demo|(io|read|represent|store):|cli:$(HOSTILE)$$)'

tsan:  ## built under ThreadSanitizer, the same bytes for any number of threads and no race
	tools/install_packages.sh build test clang
	cmake --preset tsan
	cmake --build --preset tsan --target sosie_cli core_test
	$(TSAN_RUN) build/tsan/src/core_test --gtest_brief=1
	cd tests/cli && SOSIE_BIN=$(CURDIR)/build/tsan/sosie $(TSAN_RUN) python3 -m unittest test_determinism

test-portable:  ## built without the calls that only Linux has: the same answers, files and faults
	tools/install_packages.sh build test
	cmake --preset release -B build/portable -D SOSIE_PORTABLE=ON -D SOSIE_TESTS=ON
	cmake --build build/portable
	$(CTEST) --test-dir build/portable -R '^(core|io|store|verbs):|^cli:(checkpoint|demo|errors|faults|index|interrupted|output|save|serve|threads)'

test-shared:  ## the install test with a shared libsosie
	tools/install_packages.sh build test
	cmake --preset release -B build/shared -D SOSIE_TESTS=ON -D BUILD_SHARED_LIBS=ON
	cmake --build build/shared
	$(CTEST) --test-dir build/shared

bench:  ## Sosie against its peers and md5, in little (10 minutes at most)
	tools/install_packages.sh build
	cmake --preset release
	cmake --build --preset release --target sosie_cli
	test -x build/bench-venv/bin/python || python3 bench/install_peers.py || echo "no peers: Sosie alone"
	python3 bench/run.py small --results build/bench/results
	python3 bench/run.py goals --small --results build/bench/results

recipes:  ## measures what the recipes rest on, into docs/measurements.md: SOSIE_DATA=folder
	@test -d "$(SOSIE_DATA)" || { echo "usage: make recipes SOSIE_DATA=folder" >&2; exit 2; }
	tools/install_packages.sh build python
	tools/test_python.sh test_docs.py -k recipes
	build/python-venv/bin/python -m pip install --quiet --no-deps gensim
	build/python-venv/bin/python -m pip install --quiet --requirement bench/recipes-requirements.txt
	SOSIE_DATA="$(abspath $(SOSIE_DATA))" build/python-venv/bin/python bench/recipes.py all

check-data:  ## compares with exact truth on whole data sets: SOSIE_DATA=folder
	@test -n "$(SOSIE_DATA)" || { echo "usage: make check-data SOSIE_DATA=folder" >&2; exit 2; }
	tools/install_packages.sh build
	cmake --preset release
	cmake --build --preset release --target sosie_cli
	python3 tools/check_data.py --sosie build/release/sosie --data "$(SOSIE_DATA)"

check-audit:  ## compares --audit with the true recall on whole data sets: SOSIE_DATA=folder
	@test -n "$(SOSIE_DATA)" || { echo "usage: make check-audit SOSIE_DATA=folder" >&2; exit 2; }
	tools/install_packages.sh build
	cmake --preset release
	cmake --build --preset release --target sosie_cli
	python3 tools/check_audit.py --sosie build/release/sosie --data "$(SOSIE_DATA)"

clean:  ## removes build/
	rm -rf build
