# make demo   install into .venv and tell three stories
# make serve  the page in the browser, on this machine only
# make test   run the tests
# make docs   build the site into site/, strictly
# make site   the page that needs no installation, into build/static-page (needs npm); browse it from any web server
# make lint   style, types, layers
# make campaign  the long comparisons; SCOREPROOF_CAMPAIGN_SHARE=0.1 runs a tenth
# make frozen  today's verdicts beside the frozen ones; SHARE=0.1 compares a tenth
# make r      the tests of the R package against this checkout; says so if R is not there
# make r-check  R CMD build and check of it; make r-vignette runs the vignette anew
# make citation  CITATION.cff against its schema, in an environment of its own
# make dist   a wheel and a source archive that pass twine's check
# make bench  one table of ratios: beside mlscorecheck 1.0.3, an older commit, what was promised; into build/bench.json
# make bench-short  costs in yardsticks beside benchmarks/stored.json; fails where one has doubled
# make bench-long  every benchmark beside mlscorecheck; takes much longer
# make beside OLD=path  the checkout of another commit beside this one; SHARE=0.3 takes a third of the claims
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: citation demo serve test site docs lint dist bench bench-short bench-long beside campaign frozen browser r r-check r-vignette clean

$(VENV)/base: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	touch $@

$(VENV)/dev: $(VENV)/base
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[test,lint]"
	touch $@

$(VENV)/docs: $(VENV)/base
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[docs]"
	touch $@

$(VENV)/web: $(VENV)/base
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[web]"
	touch $@

demo: $(VENV)/base
	$(BIN)/scoreproof demo

serve: $(VENV)/web
	$(BIN)/scoreproof serve

test: $(VENV)/dev
	$(BIN)/python -m pytest -n 2

# Needs no network but for installing; reading the site needs none either. (With --quiet, mkdocs counts no warnings.)
docs: $(VENV)/docs
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict
	@echo "written to site/index.html"

# Pyodide, the wheel of this tree and the page: a claim is decided in the visitor's browser, nothing is sent.
site: $(VENV)/web build/node_modules/pyodide
	$(BIN)/python -m tools.static_page.build

build/node_modules/pyodide:
	npm install --silent --prefix build --no-save pyodide@314.0.7

campaign: $(VENV)/dev
	$(BIN)/python -m pytest -m campaign -n 2

SHARE ?= 1
frozen: $(VENV)/dev
	$(BIN)/python -m tests.frozen.compare --share $(SHARE)

# Needs Chromium and its driver (on Debian: apt-get install chromium chromium-driver). What is timed runs alone.
browser: $(VENV)/dev build/node_modules/axe-core
	-if command -v npm >/dev/null; then $(MAKE) site; fi
	$(BIN)/python -m pytest -m browser -n 2 tests/browser --ignore tests/browser/test_light_and_quick.py
	$(BIN)/python -m pytest -m browser tests/browser/test_light_and_quick.py

build/node_modules/axe-core:
	-npm install --silent --prefix build --no-save axe-core

# Needs R with jsonlite and testthat; knitr, lme4 and metafor for the vignette (on Debian: apt-get install
# r-base-core r-cran-jsonlite r-cran-testthat r-cran-knitr r-cran-lme4 r-cran-metafor).
R_HERE := SCOREPROOF=$(abspath $(BIN))/scoreproof R_LIBS=$(abspath build/r) TESTTHAT_CPUS=2
R_NEEDS := if (!all(sapply(c("jsonlite", "testthat"), requireNamespace, quietly = TRUE))) quit(status = 1)

r: $(VENV)/base
	@if ! command -v Rscript >/dev/null; then echo "skipped: R is not installed"; \
	elif ! Rscript -e '$(R_NEEDS)'; then echo "skipped: R lacks the packages jsonlite and testthat"; \
	else $(MAKE) --no-print-directory build/r/scoreproof && cd r/tests/testthat && $(R_HERE) Rscript ../run.R; fi

r-vignette: build/r/scoreproof
	cd r/vignettes && $(R_HERE) Rscript -e 'knitr::knit("meta-analysis.Rmd.orig", "meta-analysis.Rmd")'

# Needs pandoc and r-cran-rmarkdown as well.
r-check: $(VENV)/base
	mkdir -p build
	cd build && $(R_HERE) R CMD build ../r
	cd build && $(R_HERE) _R_CHECK_FORCE_SUGGESTS_=false R CMD check --no-manual scoreproof_*.tar.gz

.PHONY: build/r/scoreproof
build/r/scoreproof: $(VENV)/base
	mkdir -p build/r
	R CMD INSTALL --no-test-load --library=build/r r

lint: $(VENV)/dev
	$(BIN)/ruff format --check src tests benchmarks tools
	$(BIN)/ruff check src tests benchmarks tools
	$(BIN)/mypy
	$(BIN)/lint-imports

benchmarks/.venv/ready: pyproject.toml
	$(PYTHON) -m venv benchmarks/.venv
	benchmarks/.venv/bin/python -m pip install --quiet --disable-pip-version-check -e ".[all]" mlscorecheck==1.0.3 pandas polars httpx
	touch $@

bench: benchmarks/.venv/ready
	benchmarks/.venv/bin/python benchmarks/ratios.py

bench-short: $(VENV)/dev
	$(BIN)/python benchmarks/ratios.py --short

bench-long: benchmarks/.venv/ready
	benchmarks/.venv/bin/python benchmarks/one_matrix.py
	benchmarks/.venv/bin/python benchmarks/averages_peer.py
	benchmarks/.venv/bin/python benchmarks/peer_claims.py --every 20
	benchmarks/.venv/bin/python benchmarks/averages.py means
	benchmarks/.venv/bin/python benchmarks/averages.py sd
	benchmarks/.venv/bin/python benchmarks/averages.py images
	benchmarks/.venv/bin/python benchmarks/literature.py --every 5
	benchmarks/.venv/bin/python benchmarks/foldings.py --no-peer
	benchmarks/.venv/bin/python benchmarks/classes.py --every 4
	benchmarks/.venv/bin/python benchmarks/causes.py
	benchmarks/.venv/bin/python benchmarks/frames.py
	benchmarks/.venv/bin/python benchmarks/clusters.py
	benchmarks/.venv/bin/python benchmarks/web_load.py

# A wheel and a source archive in dist/, ready for a package index.
dist: $(VENV)/dev
	rm -rf dist
	$(BIN)/python -m build --no-isolation
	$(BIN)/python -m twine check --strict dist/*

beside: $(VENV)/dev
	$(BIN)/python benchmarks/beside.py $(OLD) --share $(SHARE)

clean:
	rm -rf $(VENV) site benchmarks/.venv .mypy_cache .ruff_cache .hypothesis

citation:
	$(PYTHON) -m venv build/citation
	build/citation/bin/python -m pip install --quiet --disable-pip-version-check "cffconvert>=2"
	build/citation/bin/cffconvert --validate -i CITATION.cff
