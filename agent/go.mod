module numaspark.io/agent

go 1.26.0

require k8s.io/utils v0.0.0-20260210185600-b8788abfbbc2

require golang.org/x/sys v0.40.0
