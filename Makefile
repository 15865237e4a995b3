# Two commands for a newcomer: `make demo` and `make test`. The others are for people who work on Tacet.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin

.PHONY: demo test search lint bench s3-test train-test flink-test real-data clean
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
	$(BIN)/tacet sample --conversations 500 --output demo/sample
	$(BIN)/tacet anonymize --input demo/sample/conversations --config demo/sample/config.yaml \
		--output demo/anonymized || test $$? -eq 3

test: $(VENV)/dev
	$(BIN)/python -m pytest -m "not flink" -n auto

# Property tests try the same examples in every run; this draws others, and more of them.
SEARCH ?= 20
search: $(VENV)/dev
	TACET_SEARCH=$(SEARCH) TACET_EXAMPLES=100000 TACET_SEED=$$$$ $(BIN)/python -m pytest -n auto tests/property \
		tests/unit/reviewing tests/unit/linking tests/unit/models

lint: $(VENV)/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# Speed, each beside a baseline of the same run: the model, the rules, the lists, the job on one and two workers.
bench: $(VENV)/dev
	$(BIN)/python -m tests.benchmarks.bench_model
	$(BIN)/python -m tests.benchmarks.bench_detecting
	$(BIN)/python -m tests.benchmarks.bench_gazetteer
	$(BIN)/python -m tests.benchmarks.bench_anonymize --conversations 6000 --rounds 1
	$(BIN)/python -m tests.benchmarks.bench_anonymize --conversations 10000 --rounds 3 --light

$(VENV)/object-storage: $(VENV)/dev
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev,object-storage]'
	touch $@

# S3 by a local server that speaks its protocol.
s3-test: $(VENV)/object-storage
	$(BIN)/python -m pytest -m s3

$(VENV)/train: $(VENV)/dev
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev,train]'
	touch $@

# Training needs PyTorch, which is large; without it, its tests are skipped.
train-test: $(VENV)/train
	$(BIN)/python -m pytest tests/unit/models/training tests/end_to_end/test_train.py

# A real Flink cluster on this machine; needs Linux, Java and Maven.
flink-test: $(VENV)/dev
	$(BIN)/python infra/flink/cluster.py fetch
	TACET_FLINK_REQUIRED=1 $(BIN)/python -m pytest -m flink

real-data: $(VENV)/dev
	$(BIN)/python -m tests.benchmarks.real_data $(DATA)

clean:
	rm -rf demo build *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
