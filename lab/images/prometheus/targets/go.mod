module numaspark.io/targets

go 1.22
