# The project's commands. `make` lists them; each sets up what it needs in .venv, from the locks in requirements/.

# The Python that makes .venv: yours (make serve PYTHON=python3.13), else the first of these that is new enough.
PYTHON ?=
PYTHONS = $(if $(PYTHON),'$(PYTHON)',python3 python3.14 python3.13 python3.12 python3.11)
# Options for pytest (make test ARGS='-k reward') and for uv (make lock UV_FLAGS=--upgrade).
ARGS ?=
UV_FLAGS ?=
# One kind of drift, or one family of them (make drill FAMILY=prose).
KIND ?=
FAMILY ?=
# One module whose mutants are tried (make drill-deep MODULE=cases).
MODULE ?=

# What is imported again and again is compiled once, also where the caller's Python keeps no bytecode.
unexport PYTHONDONTWRITEBYTECODE

BIN = .venv/bin/python
PIP = $(BIN) -m pip --quiet --quiet --disable-pip-version-check --no-input
LOCK = .venv/lock/bin/uv pip compile --quiet --universal --generate-hashes --no-emit-index-url \
	--custom-compile-command 'make lock' $(UV_FLAGS)
# Where a machine has Node, the stub's tests run under Pyodide too, and axe-core judges the pages.
PYODIDE = $(if $(shell command -v npm 2>/dev/null),.venv/pyodide.stamp node_modules/.stamp)

.DEFAULT_GOAL = help
.NOTPARALLEL:
.DELETE_ON_ERROR:
.PHONY: help serve site test test-fast drill drill-deep lighthouse bench pin status diff translated terms lock clean catalogs remake

help: ## List these commands
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/make \1\	\2/p' Makefile | expand -t 16

serve: .venv/site.stamp catalogs ## Build the site, serve it on this machine, and follow every change
	@$(BIN) -m docs_build serve

site: .venv/site.stamp catalogs ## Build site/ for the public address SITE_URL=...; a warning is a failure
	@$(BIN) -m docs_build site

test: .venv/test.stamp $(PYODIDE) catalogs ## Lint, check the types, run all tests (ARGS='-k reward' for some)
	@$(BIN) -m ruff check --quiet .
	@$(BIN) -m ruff format --check --quiet .
	@types=$$(mktemp); $(BIN) -m mypy >"$$types" 2>&1 & mypy=$$!; \
	trap 'kill $$mypy 2>/dev/null; rm -f "$$types"' EXIT; \
	$(BIN) -m pytest -n 3 $(ARGS); tests=$$?; \
	wait $$mypy || { tests=1; cat "$$types"; }; exit $$tests

test-fast: .venv/test.stamp ## Run the tests that need no browser, no site, no server and no program
	@$(BIN) -m pytest --forks 2 --fast $(ARGS)

drill: .venv/test.stamp catalogs ## Make the pages untrue in a copy, and see it noticed (KIND=, FAMILY=)
	@$(BIN) -m drill --kind '$(KIND)' --family '$(FAMILY)'

drill-deep: .venv/test.stamp catalogs ## Try mutants of what holds the contract, and see them killed (MODULE=)
	@$(BIN) -m drill.deep --module '$(MODULE)'

lighthouse: .venv/test.stamp node_modules/.stamp catalogs ## Measure the guide with Lighthouse (needs Node and a Chromium)
	@PYTHONPATH=.:tests/site $(BIN) tests/browser/lighthouse.py

bench: .venv/site.stamp catalogs ## Measure how fast the check is, and write it into the README (best on a quiet machine)
	@$(BIN) tests/bench/bench.py --write

pin: .venv/test.stamp catalogs ## Run the snippets, and record their results and what commands print
	@$(BIN) -m docs_build pin

# These take PAGE, TO, SECTION, FORMAT and STRICT from the command line, which make puts into the environment.
status: .venv/site.stamp catalogs ## List what is behind in the translations (FORMAT=json; STRICT=1 fails for it)
	@$(BIN) -m translation status

diff: .venv/site.stamp catalogs ## Show what changed in English since (PAGE=concepts/scorers.md TO=ru)
	@$(BIN) -m translation diff

translated: .venv/site.stamp catalogs ## Record that a translation follows English now (PAGE=... TO=... SECTION=...)
	@$(BIN) -m translation translated

terms: .venv/site.stamp catalogs ## List where a term of the glossary is not used, though it need not be
	@$(BIN) -m translation terms

catalogs: .venv/site.stamp ## Compile the message catalogs (what needs them begins with it)
	@$(BIN) -m docs_build catalogs

lock: .venv/lock.stamp ## Compile the locks from pyproject.toml (UV_FLAGS=--upgrade for newer versions)
	@$(LOCK) --python-version 3.11 --group site -o requirements/site.txt
	@$(LOCK) --python-version 3.11 --group test -c requirements/site.txt -o requirements/test.txt
	@$(LOCK) --python-version 3.11 --group node -o requirements/node.txt
	@$(LOCK) --python-version 3.14 --group pyodide -c requirements/test.txt -o requirements/pyodide.txt

clean: ## Remove all that these commands wrote
	@rm -rf .venv build site dist node_modules skynet_stub/locale/*.mo
	@find . -type d \( -name __pycache__ -o -name .hypothesis -o -name '.*_cache' \) -prune -exec rm -rf {} +

# Made anew where its Python is gone, or was replaced by a newer one that has no pip there.
.venv/pyvenv.cfg: $(shell $(BIN) -c 'import pip' 2>/dev/null || echo remake)
	@for python in $(PYTHONS); do \
		if "$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then \
			if "$$python" -c 'import venv, ensurepip' 2>/dev/null; then \
				echo "Making .venv with $$("$$python" --version)"; exec "$$python" -m venv --clear .venv; \
			fi; \
			bare="$$python"; \
		fi; \
	done; \
	if [ -n "$$bare" ]; then \
		echo "$$bare cannot make a virtual environment: its venv or ensurepip is missing." >&2; \
		echo "Install it (Debian, Ubuntu: apt-get install python3-venv), then run make again." >&2; \
	else \
		echo "No Python 3.11 or newer found. Tried:" $(PYTHONS) >&2; \
		echo "Install one (Debian, Ubuntu: apt-get install python3 python3-venv)," >&2; \
		echo "or name yours: make PYTHON=/path/to/python3" >&2; \
	fi; exit 1

# Each stamp says that its lock is installed. One after the other, so that no two installs meet in .venv.
.venv/site.stamp: requirements/site.txt .venv/pyvenv.cfg
	@echo "Installing $<"
	@$(PIP) install --no-compile --require-hashes -r $<
	@touch $@

.venv/test.stamp: requirements/test.txt .venv/site.stamp
	@echo "Installing $<"
	@$(PIP) install --no-compile --require-hashes -r $<
	@touch $@

# Pyodide's Python is another one than that of .venv, so its packages lie in a folder of their own.
.venv/pyodide.stamp: requirements/pyodide.txt .venv/test.stamp
	@echo "Installing $<"
	@rm -rf .venv/pyodide
	@$(PIP) install --no-compile --require-hashes -r $< --target .venv/pyodide --only-binary :all: \
		--platform pyemscripten_2026_0_wasm32 --python-version 3.14 --implementation cp --abi cp314
	@touch $@

node_modules/.stamp: package.json package-lock.json .npmrc
	@echo "Installing package-lock.json"
	@npm ci --loglevel=error
	@touch $@

.venv/lock.stamp: Makefile .venv/pyvenv.cfg
	@$(BIN) -m venv --clear .venv/lock
	@.venv/lock/bin/python -m pip --quiet --quiet --disable-pip-version-check install 'uv>=0.9'
	@touch $@
