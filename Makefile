# Stem & Branch. `make` alone lists what there is to do.

# The first Python that is new enough; `make play PYTHON=python3.12` chooses another.
PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11 python; do \
	"$$p" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo "$$p" && break; done)
BIN := .venv/bin
export PATH := $(CURDIR)/$(BIN):$(PATH)

.DEFAULT_GOAL := help
.PHONY: help play setup test check bench bench-page load soak strength audit lock clean python

help: ## list these targets
	@echo 'Stem & Branch'
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1|\2/p' $(MAKEFILE_LIST) | while IFS='|' read -r name text; do \
		printf '%-14s %s\n' "$$name" "$$text"; done

play: python ## set up what is missing, start the game and open it (HOST, PORT, DATA_DIR, REDIS_URL, BROWSER=none)
	@$(PYTHON) scripts/setup.py && exec $(BIN)/stem-branch play

setup: python ## make .venv with everything for development, and build the page
	@$(PYTHON) scripts/setup.py --dev

test: python ## set up, then run every test
	@$(PYTHON) scripts/setup.py --dev --browser
	npm --prefix frontend test
	$(BIN)/python -m pytest -n 2 --dist worksteal -m 'not serial'
	$(BIN)/python -m pytest -m serial

check: python ## format, lint, types and layers
	@$(PYTHON) scripts/setup.py --dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	npm --prefix frontend run --silent check

bench: python ## measure: prints a table and writes bench/results.json (EXTRAS=1 sets it beside OpenSpiel)
	@$(PYTHON) scripts/setup.py --dev
	@$(if $(EXTRAS),$(BIN)/python -m pip install -q --disable-pip-version-check --require-hashes --no-deps \
		-r requirements-bench.txt)
	@$(BIN)/python -m bench

bench-page: python ## measure the page in a slowed-down browser: prints a table and writes bench/page.json
	@$(PYTHON) scripts/setup.py --dev --browser
	@$(BIN)/python -m bench.page

soak: python ## kill, cut off, pause and fill all that games rest on: nothing may be lost or told (DURATION, GAMES, SEED)
	@$(PYTHON) scripts/setup.py --dev
	@$(BIN)/python -m bench.soak

load: python ## the whole game under load, DURATION=120 seconds and three minutes more: writes docs/reliability.md (needs wrk)
	@$(PYTHON) scripts/setup.py --dev
	@$(BIN)/python -m bench.load

strength: python ## play matches between the players: writes docs/strength.md (two hours; goes on where it was)
	@$(PYTHON) scripts/setup.py --dev
	@$(BIN)/python -m bench.strength

audit: python ## look for known vulnerabilities in what is installed (asks the internet; exit status 2 where it cannot)
	@$(PYTHON) scripts/audit.py

lock: ## pin every dependency anew (needs uv)
	uv pip compile pyproject.toml --extra dev --universal --python-version 3.11 --generate-hashes \
		--no-emit-index-url --no-header --upgrade -q -o requirements-dev.txt
	for what in build node audit; do uv pip compile --group pyproject.toml:$$what -c requirements-dev.txt --universal \
		--python-version 3.11 --generate-hashes --no-emit-index-url --no-header -q -o requirements-$$what.txt; done
	uv pip compile pyproject.toml -c requirements-dev.txt --universal --python-version 3.11 --generate-hashes \
		--no-emit-index-url --no-header -q -o requirements.txt
	for what in bench train; do uv pip compile pyproject.toml --extra $$what -c requirements-dev.txt --universal \
		--python-version 3.11 --generate-hashes --no-emit-index-url --no-header -q -o requirements-$$what.txt; done

clean: ## remove everything that set-up and the tools made (games are kept)
	rm -rf .venv .setup frontend/node_modules frontend/dist .mypy_cache .ruff_cache .pytest_cache .hypothesis

python:
	@[ -n "$(PYTHON)" ] || { echo 'Stem & Branch needs Python 3.11 or newer, and none was found. Install it, or name one: make play PYTHON=/path/to/python3'; exit 1; }
