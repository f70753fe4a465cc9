{{- define "numaspark.fullname" -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name | trunc 63 | trimSuffix "-" }}
{{- else }}{{ printf "%s-%s" .Release.Name .Chart.Name | trunc 63 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "numaspark.selectorLabels" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "numaspark.labels" -}}
{{ include "numaspark.selectorLabels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{/* What the operator does in a namespace: create a driver's objects once, then watch. It never reads Secrets. */}}
{{- define "numaspark.namespaceRules" -}}
# The runs of a ScheduledSparkApplication.
- apiGroups: [numaspark.io]
  resources: [sparkapplications]
  verbs: [create, delete]
- apiGroups: [""]
  resources: [pods]
  verbs: [get, list, watch, create]
# The end of a failed driver's log, for the words in the application's status.
- apiGroups: [""]
  resources: [pods/log]
  verbs: [get]
- apiGroups: [""]
  resources: [services, configmaps]
  verbs: [get, create]
{{- end }}
