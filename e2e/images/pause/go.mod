module numaspark.io/e2e/images/pause

go 1.26.0
