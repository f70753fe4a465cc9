# The front door. `make help` lists the targets; each can be run on its own and again.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
MVN := ./mvnw --batch-mode --quiet
# Surefire's and failsafe's summary lines are worth seeing, the rest of Maven's talk is not.
MVN_TEST := ./mvnw --batch-mode
LAB := lab/lab

.PHONY: help
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / {printf "  %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.PHONY: build
build: ## compile, package, and make bin/numaspark and bin/kubectl-numaspark
	$(MVN) -DskipTests -Psbom package
	agent/build.sh
	@mkdir -p bin
	@install -m 755 operator/cli/src/main/sh/* bin/

.PHONY: test
test: lint ## unit, golden, architecture and API server tests (no cluster; the first run builds an API server)
	agent/test.sh
	tools=$$($(LAB) tools --kube-api-test); \
	KUBE_API_TEST_DIR=$$tools $(MVN_TEST) -Psbom verify
	agent/build.sh
	operator/image/check.sh
	build/checksums.sh

.PHONY: test-spark
test-spark: ## the plugin's tests inside each released Spark: SPARK=, TESTS= (downloads up to 400 MB a Spark once)
	spark-plugin/spark-matrix.sh --tests '$(or $(TESTS),.)' $(SPARK)

.PHONY: lint
lint: ## shell scripts, what images start from, the chart, its alerts, the dashboards
	build/lint.sh

.PHONY: check-images
check-images: build ## hold bills of materials and runtimes to the jars; build the images twice and compare (minutes, needs root)
	operator/image/check.sh --twice

.PHONY: check-picture
check-picture: ## open the pages of the node picture in headless Chromium and measure them: SCREENSHOTS=folder keeps pictures
	operator/render/src/test/browser/check.sh $(SCREENSHOTS)

.PHONY: bench
bench: ## measure the planner (JMH; goals are in the benchmarks' own comments): BENCH='JMH arguments'
	bench/run planner $(BENCH)

.PHONY: bench-control
bench-control: build ## measure the operator on a control plane with simulated nodes: APPLICATIONS=, NAMESPACES= (needs root)
	bench/run control -applications $(or $(APPLICATIONS),1000) -namespaces $(or $(NAMESPACES),10)

.PHONY: bench-agent
bench-agent: build ## measure the memory and CPU time of the node agent at rest
	bench/run agent $(ARGS)

.PHONY: bench-spark
bench-spark: ## measure real Spark, variants side by side: ARGS='--quick', ARGS=--help (emulated disks need root)
	bench/run spark $(ARGS)

HOURS ?= 1
.PHONY: soak
soak: build ## run applications of every fate for HOURS=1 (0.1 is six minutes) and hold the operator's heap, threads and series to flat
	bench/run soak -hours $(HOURS)

.PHONY: e2e
e2e: build ## end-to-end tests in the lab: real kubelet, real NUMA node, real Spark, Prometheus: STAGES=, E2E_SECONDS=
	e2e/run.sh $(STAGES)

.PHONY: demo
demo: build ## bring the lab up, run an application on pinned executors, and show where they ran
	lab/demo/demo.sh

.PHONY: lab-up lab-down
lab-up: ## start the lab and keep it
	$(LAB) up
lab-down: ## stop the lab
	$(LAB) down

.PHONY: generate
generate: ## write the generated files anew: CRDs, golden files, the chart's README, rendered trees, deploy/kustomize
	$(MVN) -Dgolden.update=true -Dtest='*GoldenTest' -Dsurefire.failIfNoSpecifiedTests=false test
	charts/tests/check.sh --update

.PHONY: checksums
checksums: ## write .mvn/checksums anew after a change of a version or a plugin (downloads 400 MB from Maven Central, minutes)
	build/checksums.sh --update

.PHONY: fuzz-chart
fuzz-chart: ## set each value of the chart to what it should not be, and render (about four minutes): VALUE=part-of-a-path
	charts/tests/fuzz.sh $(VALUE)

SEED ?= 1
COUNT ?= 10000
KUBERNETES ?=
.PHONY: oracle-fuzz
oracle-fuzz: ## compare the admission model with the kubelet's own code on random nodes: SEED=, COUNT=, KUBERNETES=1.33 for the kubelet of another version
	oracle=$$(KUBERNETES=$(KUBERNETES) oracles/kubelet/oracle.sh); \
	$(MVN) -pl operator/cli -am test -Dtest=OracleFuzz -Dsurefire.failIfNoSpecifiedTests=false \
	  -Doracle.program=$$oracle -Doracle.seed=$(SEED) -Doracle.count=$(COUNT)

.PHONY: oracle-record
oracle-record: ## ask the kubelet's own code again: the recorded cases of the admission tests
	$$(oracles/kubelet/oracle.sh) record operator/cli/src/test/resources/oracle
	for minor in $$(ls oracles/kubelet/versions); do \
	  $$(KUBERNETES=$$minor oracles/kubelet/oracle.sh) differences operator/cli/src/test/resources/oracle || exit 1; done
	cd oracles/kubelet && CGO_ENABLED=0 go vet . && CGO_ENABLED=0 go test .

.PHONY: autoscaler-check
autoscaler-check: ## hold what plan --for-autoscaler prints to the kube-scheduler's and Karpenter's own code (the first build takes minutes)
	cd oracles/autoscaler && CGO_ENABLED=0 go test -vet=off -count=1 .

.PHONY: gitops-check
gitops-check: ## hold the operator's statuses to kstatus, by which Flux and Helm 4 wait, and to the script for Argo CD
	cd oracles/gitops && CGO_ENABLED=0 go vet . && CGO_ENABLED=0 go test -count=1 .

.PHONY: airflow-check
airflow-check: ## run applications by tasks of Airflow's own SparkKubernetesOperator (downloads about 130 MB once, needs Python 3.11)
	tools=$$($(LAB) tools --kube-api-test); airflow=$$(oracles/airflow/airflow.sh); \
	KUBE_API_TEST_DIR=$$tools AIRFLOW_TEST_DIR=$$airflow $(MVN) -pl operator/controller -am verify -Dtest=NoTest \
	  -Dit.test=AirflowIT -Dsurefire.failIfNoSpecifiedTests=false -Dfailsafe.failIfNoSpecifiedTests=false

.PHONY: kueue-check
kueue-check: ## run applications through queues of Kueue's own controllers (builds them once, some minutes; needs root)
	tools=$$($(LAB) tools --kube-api-test); kueue=$$(oracles/kueue/kueue.sh); \
	KUBE_API_TEST_DIR=$$tools KUEUE_TEST_DIR=$$kueue $(MVN) -pl operator/controller -am verify -Dtest=NoTest \
	  -Dit.test=KueueItselfIT -Dsurefire.failIfNoSpecifiedTests=false -Dfailsafe.failIfNoSpecifiedTests=false

.PHONY: spark-oracle
spark-oracle: ## record the executor pods that Spark itself builds (downloads 1.2 GB once)
	oracles/spark/record.sh

.PHONY: format
format: ## format the Java sources (needs JDK 17)
	$(MVN) spotless:apply

.PHONY: clean
clean: ## delete what the build made here; caches and the lab stay
	$(MVN) clean
	rm -rf bin
