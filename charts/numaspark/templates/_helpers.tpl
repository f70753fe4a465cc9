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

{{- define "numaspark.agentNamespace" -}}
{{ .Values.agent.namespace | default .Release.Namespace }}
{{- end }}

{{- define "numaspark.agentImage" -}}
{{ .Values.agent.image.repository }}:{{ .Values.agent.image.tag | default .Chart.AppVersion }}
{{- end }}

{{/* In every namespace of sharedPages. */}}
{{- define "numaspark.pagesClaim" -}}
numaspark-pages
{{- end }}

{{/* Folders of a node that its agent reads. */}}
{{- define "numaspark.agentVolumes" -}}
- {name: pod-resources, path: {{ .Values.agent.kubelet.podResources | quote }}}
- {name: cgroup, path: /sys/fs/cgroup}
{{- if .Values.agent.memorySpeed }}
- {name: dmi, path: /sys/firmware/dmi}
{{- end }}
{{- end }}

{{/* What the operator does in a namespace: create the objects of attempts, watch them, and delete them. It never reads Secrets. */}}
{{- define "numaspark.namespaceRules" -}}
# The runs of a ScheduledSparkApplication; applications whose time to live is over.
- apiGroups: [numaspark.io]
  resources: [sparkapplications]
  verbs: [create, delete]
# Drivers are created, followed, and stopped with their executors; old attempts are taken away.
- apiGroups: [""]
  resources: [pods]
  verbs: [get, list, watch, create, deletecollection]
# The end of a failed driver's log, for the words in the application's status.
- apiGroups: [""]
  resources: [pods/log]
  verbs: [get]
- apiGroups: [""]
  resources: [services]
  verbs: [get, create, deletecollection]
# A configuration that no driver has read yet is replaced if the profile's plan has changed.
- apiGroups: [""]
  resources: [configmaps]
  verbs: [get, create, delete, deletecollection]
- apiGroups: [networking.k8s.io]
  resources: [ingresses]
  verbs: [get, create, deletecollection]
- apiGroups: [policy]
  resources: [poddisruptionbudgets]
  verbs: [get, create, deletecollection]
- apiGroups: [scheduling.volcano.sh, scheduling.x-k8s.io]
  resources: [podgroups]
  verbs: [get, create, deletecollection]
# What kubectl describe shows.
- apiGroups: [events.k8s.io]
  resources: [events]
  verbs: [create]
{{- end }}
