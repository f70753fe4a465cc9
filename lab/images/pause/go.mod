module numaspark.io/lab/images/pause

go 1.26.0
