# Two commands for a newcomer: `make demo` and `make test`. The others are for people who work on Tacenda.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
ABSBIN := $(abspath $(BIN))

# Python compiles each file once, and not again in each of the processes that tests start.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo test slow-test search lint speed bench s3-test gcp-test train-test flink-test docs sbom licences audit clean
.DELETE_ON_ERROR:

$(VENV)/core: pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	touch $@

$(VENV)/dev: $(VENV)/core
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	touch $@

demo: $(VENV)/core
	rm -rf demo
	$(BIN)/tacenda sample --conversations 500 --output demo/sample
	$(BIN)/tacenda anonymize --input demo/sample/conversations --config demo/sample/config.yaml \
		--output demo/anonymized || test $$? -eq 3

test: $(VENV)/dev
	$(BIN)/python -m pytest -m "not slow and not flink" -n auto --dist worksteal

# What takes longer, as whole runs in many ways and the searches for counterexamples.
slow-test: $(VENV)/dev
	$(BIN)/python -m pytest -m "slow and not flink" -n auto --dist worksteal

# Property tests try the same examples in every run; this draws others, and more of them.
SEARCH ?= 20
search: $(VENV)/dev
	TACENDA_SEARCH=$(SEARCH) TACENDA_EXAMPLES=100000 TACENDA_SEED=$$$$ $(BIN)/python -m pytest -n auto tests/property \
		tests/unit/reviewing tests/unit/linking tests/unit/models

# The packages as they install. What reads imports without importing does not know the folders of an editable install.
build/tree: setup.py $(wildcard tacenda/*)
	rm -rf $@ && mkdir -p $@/tacenda
	ln -s $(wildcard $(CURDIR)/tacenda/*) $(CURDIR)/pipelines $(CURDIR)/models $(CURDIR)/transforms $@/tacenda

lint: $(VENV)/dev build/tree
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	cd build/tree && $(ABSBIN)/mypy --config-file $(CURDIR)/pyproject.toml
	cd build/tree && $(ABSBIN)/lint-imports --config $(CURDIR)/pyproject.toml

# Fails where the default job has become slower than docs/figures/job.json says.
speed: $(VENV)/dev
	$(BIN)/python -m tests.benchmarks.bench_job --check

# Speed, each beside a baseline of the same rounds.
bench: $(VENV)/dev
	$(BIN)/python -m tests.benchmarks.bench_job --figures job
	$(BIN)/python -m tests.benchmarks.bench_anonymize --figures anonymize
	$(BIN)/python -m tests.benchmarks.bench_anonymize --figures runners --light
	$(BIN)/python -m tests.benchmarks.bench_start --figures start

$(VENV)/object-storage: $(VENV)/dev
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev,object-storage]'
	touch $@

# S3 by a local server that speaks its protocol.
s3-test: $(VENV)/object-storage
	$(BIN)/python -m pytest -m s3

$(VENV)/gcp: $(VENV)/dev
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev,gcp,gcs-test]'
	touch $@

# The graph as Dataflow gets it, without Dataflow; and Cloud Storage by an emulator.
gcp-test: $(VENV)/gcp
	$(BIN)/python -m pytest tests/end_to_end/test_dataflow.py
	$(BIN)/python -m pytest -m gcs

$(VENV)/train: $(VENV)/dev
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev,train,torch]'
	touch $@

# Training needs PyTorch, which is large; without it, its tests are skipped.
train-test: $(VENV)/train
	$(BIN)/python -m pytest tests/unit/models/training tests/end_to_end/test_train.py

# A real Flink cluster on this machine; needs Linux, Java and Maven.
flink-test: $(VENV)/dev
	$(BIN)/python infra/flink/cluster.py fetch
	TACENDA_FLINK_REQUIRED=1 $(BIN)/python -m pytest -m flink

$(VENV)/docs: $(VENV)/dev
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev,docs]'
	touch $@

# The documentation as a site. A broken link fails.
docs: $(VENV)/docs build/tree
	$(BIN)/python infra/site/assemble.py
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --config-file infra/site/mkdocs.yml

# What a plain installation consists of, away from all that is installed for development.
SHIPPED := build/shipped
$(SHIPPED)/done: pyproject.toml
	rm -rf $(SHIPPED) && $(PYTHON) -m venv $(SHIPPED)
	$(SHIPPED)/bin/python -m pip install --quiet --disable-pip-version-check .
	rm -rf build/lib build/bdist.*
	touch $@

build/supply-chain/done:
	rm -rf build/supply-chain && $(PYTHON) -m venv build/supply-chain
	build/supply-chain/bin/python -m pip install --quiet --disable-pip-version-check \
		'cyclonedx-bom>=7,<8' 'cyclonedx-python-lib[json-validation]' 'pip-audit>=2.9,<3' 'pip-licenses>=5.5,<6'
	touch $@

# The bill of materials of a plain installation, CycloneDX 1.6, checked against its schema.
sbom: $(SHIPPED)/done build/supply-chain/done
	build/supply-chain/bin/cyclonedx-py environment --pyproject pyproject.toml --output-reproducible --validate \
		--output-file build/sbom.json $(SHIPPED)/bin/python

# The licences of it. Those that a dependency may have are named as parts of what publishers write.
ACCEPTED := 0BSD;Apache;BSD;CC0;HPND;ISC;LGPL;Lesser General Public;MIT;MPL;Mozilla Public;PSF-2.0;Python;Unlicense;Zlib
licences: $(SHIPPED)/done build/supply-chain/done
	build/supply-chain/bin/pip-licenses --python $(SHIPPED)/bin/python --from=mixed --partial-match --allow-only='$(ACCEPTED)'

# Known vulnerabilities of it, by asking PyPI: an index that mirrors packages alone knows none, and --strict fails there.
audit: $(SHIPPED)/done build/supply-chain/done
	$(SHIPPED)/bin/python -m pip freeze --exclude tacenda > build/shipped.txt
	build/supply-chain/bin/pip-audit --strict --no-deps --disable-pip --requirement build/shipped.txt

clean:
	rm -rf demo build *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
