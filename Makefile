# On a machine with Python 3.11 or later and nothing else of ours:
#   make demo    the environment, a browser, and the first scenario
#   make test    the same set-up, then the project's own tests

PYTHON ?= python3
BIN := .venv/bin

.PHONY: demo test check setup lock clean

demo: setup
	$(BIN)/pytest scenarios/gmail_airtable -n 2

test: setup check
	$(BIN)/pytest tests -n 2

check: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo
	$(BIN)/sopbench validate scenarios/*/*.sop.json

setup: .venv/installed
	@$(BIN)/python -m sopbench.adapters.browser_finder --install

.venv/installed: requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "sopbench needs Python 3.11 or later; say: make PYTHON=/path/to/python3.11")'
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

# Pins anew everything that pyproject.toml asks for. Needs uv.
lock:
	uv pip compile --quiet --universal --generate-hashes --no-emit-index-url --no-annotate --no-header \
		--python-version 3.11 pyproject.toml --group dev --output-file requirements.lock

clean:
	rm -rf .venv reports test-results .mypy_cache .ruff_cache .pytest_cache .import_linter_cache
