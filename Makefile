# The commands of the README. Each installs what it needs.
.DEFAULT_GOAL := help
BUILD := build/release
JOBS ?= $(shell nproc)

.PHONY: help deps build demo test test-all test-kubernetes perturb chaos fuzz images release bench bench-real bench-cluster constants traces recordings evaluation libraries replay lint clean rig-up rig-down

help:  ## Show these commands
	@awk -F':.*## ' '/^[a-z-]+:.*## / {printf "  make %-16s%s\n", $$1, $$2}' $(MAKEFILE_LIST)

deps:
	@scripts/install-deps --build

build: deps  ## Compile everything into build/release
	@mkdir -p build
	@cmake --preset release > $(BUILD).log 2>&1 || { cat $(BUILD).log; exit 1; }
	@cmake --build --preset release -j $(JOBS)

# A folder that was configured for the tests stays so: what is compiled for one serves the other.
demo:  ## Watch real training jobs share this machine's cores, and what a fair share would have taken (about 3 min)
	@scripts/install-deps --programs
	@scripts/install-deps --demo
	@mkdir -p build
	@[ -f $(BUILD)/build.ninja ] || cmake --preset programs > $(BUILD).log 2>&1 || { cat $(BUILD).log; exit 1; }
	@cmake --build --preset demo -j $(JOBS)
	@scripts/demo

test:  ## Run all tests that a change can break, those on a real Kubernetes included (about 10 min; the first time 30)
	@scripts/test

test-all:  ## The same, and what takes long: all on a real kubelet, whole runs, a release, an upgrade (about 45 min)
	@scripts/test --all

perturb: build  ## Break the operator on purpose, and see that it recovers (about 3 min)
	@scripts/perturb

test-kubernetes: build  ## Run the tests on a real control plane of Kubernetes 1.37.2, or of VERSIONS="..." (5 min each, and 10 to build each once)
	@scripts/test-kubernetes $(VERSIONS)

# A shell counts in SECONDS by itself, so it gets another name on the way.
chaos: SECONDS ?= 1800
chaos: build  ## Faults at random, and what the controller holds meanwhile (30 min, or SECONDS=...)
	@SLAQ_CHAOS_SECONDS=$(SECONDS) scripts/chaos

fuzz: SECONDS ?= 60
fuzz:  ## Feed each parser with random input, for SECONDS=60 each (about 10 min)
	@scripts/fuzz --seconds $(SECONDS)

images:  ## Build the images of the controller and of the trainer, with Docker or buildah
	@scripts/images

release:  ## Make images, chart, tarballs, wheel and checksums in build/dist; publish nothing (about 20 min)
	@scripts/release

bench: build  ## Measure: allocation, fits, the controller's memory
	@scripts/bench

DRAWINGS ?= 8
bench-real: build  ## Run real programs under each policy, and all at once (hours; DRAWINGS=1 and bench/real --help)
	@scripts/install-deps --python
	@bench/real --drawings $(DRAWINGS)

bench-cluster: build  ## Measure the controller with thousands of TrainingJobs on nodes that are played (hours; bench/cluster --help)
	@nice -n 10 bench/cluster

constants: build  ## Fit the constants of forecasts again, to all traces and without each algorithm (about 3 min)
	@scripts/install-deps --evaluation
	@cmake --build --preset release -j $(JOBS) --target slaq-score-experts
	@evaluation/fit_constants.py --each

traces: build  ## Record the traces of evaluation/traces from the trainer again (about 2 min)
	@scripts/install-deps --evaluation
	@evaluation/record.py

recordings:  ## Record the losses of evaluation/recordings from scikit-learn, XGBoost and PyTorch again (about 2 min)
	@scripts/install-deps --python
	@scripts/install-deps --evaluation
	@evaluation/record_real_data.py

evaluation: build  ## Redo the paper's evaluation: tables, figures, docs/evaluation.md (about half an hour)
	@scripts/install-deps --evaluation
	@evaluation/evaluate.py

libraries: build  ## Train with people's libraries here and on a real kubelet: the table of docs/your-trainer.md (7 GB, about 10 min, as root)
	@scripts/libraries

replay: build  ## Replay the paper's workload on a real control plane, and compare with the simulation (about 55 min, as root)
	@scripts/install-deps --evaluation
	@evaluation/replay.py

lint:  ## Check format and run clang-tidy
	@scripts/lint

rig-up: build  ## Bring up a real single-node Kubernetes with slaq's images
	@tests/rig/rig up

rig-down:  ## Take it down without a trace
	@tests/rig/rig down

clean:  ## Remove what was built
	@rm -rf build
