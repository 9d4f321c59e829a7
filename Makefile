# Each target is one line over Maven, Docker or a script of .make/.
.DEFAULT_GOAL := help
MAVEN := .make/mvn

.PHONY: help
help: ## Shows this help
	@awk -F ':.*## ' '/^##@/ {printf "\n%s\n", substr($$0, 5)} /^[a-z0-9-]+:.*## / {printf "  make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

##@ Build

.PHONY: build
build: ## Compiles and packages everything, without running tests
	$(MAVEN) -q package -DskipTests

.PHONY: format
format: ## Formats all Java code
	$(MAVEN) -q spotless:apply

.PHONY: generate
generate: ## Writes the CRD manifests of config/crd and the dashboard of config/grafana from Java
	$(MAVEN) -q -pl crds test-compile exec:java@generate-crds
	$(MAVEN) -q -pl e2e -am process-test-classes -Dskip.dashboard=false

.PHONY: images
images: build ## Builds the images of operator, sidecar and sample apps (TAG, JDK_IMAGE, BASE_IMAGE ..)
	@.make/images

.PHONY: clean
clean: ## Removes everything that was built
	$(MAVEN) -q clean

##@ Try

.PHONY: demo
demo: build ## Runs the examples here, without a cluster: DEMO_SCRIPT=failover kills a pod by itself and ends (REDIS_URL)
	@.make/demo

.PHONY: deploy
deploy: ## Installs everything, with a small Redis, in the cluster that kubectl is set to; its nodes need the images
	kubectl apply --server-side -k config/default
	kubectl -n soloist-system rollout status deployment/soloist-operator --timeout=3m

.PHONY: undeploy
undeploy: ## Removes every DistributedJob and then everything that deploy has installed
	kubectl delete distributedjobs --all --all-namespaces --timeout=1m
	kubectl delete --ignore-not-found -k config/default

##@ Test

.PHONY: test
test: ## Runs every tier of tests that this machine can run, and says which it could not and why
	@.make/test

.PHONY: verify
verify: generate ## Checks format and generated files and runs all tests that need no cluster
	@git diff --exit-code -- config/crd config/grafana
	@.make/tier verify

.PHONY: it
it: ## Runs the tests against real Redis processes and a real API server
	@.make/tier it

.PHONY: matrix
matrix: build ## Runs the contract suite on every other server that can be fetched: Redis 6.2 and 8.2, Valkey 8.1 and 9.1
	@.make/matrix

.PHONY: mutants
mutants: ## Breaks each Lua script in small ways and shows that the rules find every one (SEED, MUTANT)
	@.make/mutants

.PHONY: model
model: ## Checks the models of the protocol in coordination/model exhaustively; needs spin and gcc
	@.make/model

.PHONY: shards
shards: build ## Prints what the three primaries of a Cluster do for one job with one shard and with eight
	@.make/mvn --quiet --projects coordination failsafe:integration-test failsafe:verify \
	  -Dit.test='ShardsOnAClusterIT#theWorkOfOneJobIsSpreadOverThePrimaries'

.PHONY: soak
soak: ## Breaks things around real sidecars for SECONDS (60) by the plan of SEED (7), and checks what happened
	@.make/soak $(or $(SECONDS),60) $(or $(SEED),7)

.PHONY: e2e
e2e: ## Builds the images and runs the tests on a real cluster; needs a Docker engine
	@.make/tier e2e
