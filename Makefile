# make demo   install into .venv and tell three stories
# make serve  the page in the browser, on this machine only
# make test   run the tests
# make docs   build the site into site/, strictly
# make site   the page that needs no installation, into build/static-page (needs npm); browse it from any web server
# make lint   style, types, layers
# make campaign  the long comparisons; SCOREPROOF_CAMPAIGN_SHARE=0.1 runs a tenth
# make frozen  today's verdicts beside the frozen ones; SHARE=0.1 compares a tenth
# make dist   a wheel and a source archive that pass twine's check
# make bench  beside mlscorecheck 1.0.3, in one run
# make beside OLD=path  the checkout of another commit beside this one; SHARE=0.3 takes a third of the claims
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: demo serve test site docs lint dist bench beside campaign frozen browser clean

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

# Needs Chromium and its driver (on Debian: apt-get install chromium chromium-driver).
browser: $(VENV)/dev build/node_modules/axe-core
	-if command -v npm >/dev/null; then $(MAKE) site; fi
	$(BIN)/python -m pytest -m browser tests/browser

build/node_modules/axe-core:
	-npm install --silent --prefix build --no-save axe-core

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
