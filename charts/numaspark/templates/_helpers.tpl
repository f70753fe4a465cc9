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

{{/* What the operator does in a namespace: create an attempt's objects once, watch, and clean up. It never reads Secrets. */}}
{{- define "numaspark.namespaceRules" -}}
# The runs of a ScheduledSparkApplication.
- apiGroups: [numaspark.io]
  resources: [sparkapplications]
  verbs: [create, delete]
# What an attempt leaves is deleted when it is stopped, or when the next one starts.
- apiGroups: [""]
  resources: [pods]
  verbs: [get, list, watch, create, delete, deletecollection]
# The end of a failed driver's log, for the words in the application's status.
- apiGroups: [""]
  resources: [pods/log]
  verbs: [get]
- apiGroups: [""]
  resources: [services, configmaps]
  verbs: [get, list, create, delete, deletecollection]
- apiGroups: [networking.k8s.io]
  resources: [ingresses]
  verbs: [get, list, create, delete, deletecollection]
- apiGroups: [policy]
  resources: [poddisruptionbudgets]
  verbs: [get, list, create, delete, deletecollection]
# For spec.batchScheduler: Volcano's, and those of the coscheduling plugin.
- apiGroups: [scheduling.volcano.sh, scheduling.x-k8s.io]
  resources: [podgroups]
  verbs: [get, create]
# What kubectl describe shows.
- apiGroups: ["", events.k8s.io]
  resources: [events]
  verbs: [create, patch]
{{- end }}
