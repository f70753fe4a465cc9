{{- define "numaspark.fullname" -}}
{{- if .Values.fullnameOverride }}{{ .Values.fullnameOverride }}
{{- else if contains .Chart.Name .Release.Name }}{{ .Release.Name | trunc 63 | trimSuffix "-" }}
{{- else }}{{ printf "%s-%s" .Release.Name .Chart.Name | trunc 63 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "numaspark.agentName" -}}
{{ include "numaspark.fullname" . }}-agent
{{- end }}

{{- define "numaspark.selectorLabels" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{/* metadata of an object: a dict with root and name; namespace, labels and annotations if it has any. */}}
{{- define "numaspark.metadata" -}}
name: {{ .name }}
{{- with .namespace }}
namespace: {{ . }}
{{- end }}
labels:
  {{- $own := include "numaspark.selectorLabels" .root | fromYaml }}
  {{- $_ := set $own "app.kubernetes.io/version" .root.Chart.AppVersion }}
  {{- $_ := set $own "app.kubernetes.io/managed-by" .root.Release.Service }}
  {{- $_ := set $own "helm.sh/chart" (printf "%s-%s" .root.Chart.Name .root.Chart.Version) }}
  {{- merge (dict) (.labels | default dict) $own .root.Values.commonLabels | toYaml | nindent 2 }}
{{- with merge (dict) (.annotations | default dict) .root.Values.commonAnnotations }}
annotations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- define "numaspark.serviceAccountName" -}}
{{ .Values.serviceAccount.name | default (include "numaspark.fullname" .) }}
{{- end }}

{{/* Of all its objects; the name of a Service has at most 63 characters. */}}
{{- define "numaspark.webhookName" -}}
{{ include "numaspark.fullname" . | trunc 55 | trimSuffix "-" }}-webhook
{{- end }}

{{/* Not those of the operator, whose selectors must not take it. */}}
{{- define "numaspark.webhookLabels" -}}
app.kubernetes.io/name: {{ .Chart.Name }}-webhook
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "numaspark.webhookClient" -}}
service: {name: {{ include "numaspark.webhookName" . }}, namespace: {{ .Release.Namespace }}, path: /mutate, port: 443}
{{- end }}

{{/* Those that were opted in. */}}
{{- define "numaspark.webhookNamespaces" -}}
matchExpressions:
  - {key: numaspark.io/inject, operator: Exists}
  - {key: numaspark.io/inject, operator: NotIn, values: ["false"]}
  {{- include "numaspark.webhookNotOurs" . | nindent 2 }}
{{- end }}

{{/* Neither the control plane's nor the release's. */}}
{{- define "numaspark.webhookNotOurs" -}}
- {key: kubernetes.io/metadata.name, operator: NotIn, values: {{ list "kube-system" .Release.Namespace | uniq | toJson }}}
{{- end }}

{{- define "numaspark.agentServiceAccountName" -}}
{{ .Values.agent.serviceAccount.name | default (include "numaspark.agentName" .) }}
{{- end }}

{{- define "numaspark.agentNamespace" -}}
{{ .Values.agent.namespace | default .Release.Namespace }}
{{- end }}

{{/* A dict with root and image. */}}
{{- define "numaspark.image" -}}
{{- with .image.digest }}{{ $.image.repository }}@{{ . }}{{ else }}{{ .image.repository }}:{{ .image.tag | default .root.Chart.AppVersion }}{{ end }}
{{- end }}

{{/* What the restricted pod security standard demands wins over values; the schema refuses what would contradict it. */}}
{{- define "numaspark.podSecurityContext" -}}
{{- merge (dict "runAsNonRoot" true) (deepCopy .Values.podSecurityContext) (dict "seccompProfile" (dict "type" "RuntimeDefault")) | toYaml }}
{{- end }}

{{- define "numaspark.containerSecurityContext" -}}
{{- $restricted := dict "allowPrivilegeEscalation" false "readOnlyRootFilesystem" true "capabilities" (dict "drop" (list "ALL")) }}
{{- merge $restricted (deepCopy .Values.securityContext) | toYaml }}
{{- end }}

{{- define "numaspark.logEnv" -}}
- {name: NUMASPARK_LOG_LEVEL, value: {{ .Values.log.level }}}
- {name: NUMASPARK_LOG_FORMAT, value: {{ .Values.log.format }}}
{{- end }}

{{/* In every namespace of sharedPages. */}}
{{- define "numaspark.pagesClaim" -}}
numaspark-pages
{{- end }}

{{/* Folders of a node that its agent reads. */}}
{{- define "numaspark.agentVolumes" -}}
- {name: pod-resources, path: {{ .Values.agent.kubelet.podResources | quote }}}
- {name: cgroup, path: /sys/fs/cgroup}
# Made if it does not exist: a node without systemd has none, and the agent starts nevertheless.
- {name: systemd, path: /run/systemd/transient, type: DirectoryOrCreate}
{{- if .Values.agent.memorySpeed }}
- {name: dmi, path: /sys/firmware/dmi}
{{- end }}
{{- end }}

{{/* Not empty if there can be any way from outside to a driver. */}}
{{- define "numaspark.makesRoutes" -}}
{{- if or .Values.grants.ingressHosts .Values.ui.ingress.urlFormat }}true{{ end }}
{{- end }}

{{/* Not empty if that way can be an Ingress. */}}
{{- define "numaspark.makesIngresses" -}}
{{- if not .Values.ui.gateway.name }}{{ include "numaspark.makesRoutes" . }}{{ end }}
{{- end }}

{{/* What the operator does in a namespace: create the objects of attempts, watch them, and delete them. It never reads Secrets. */}}
{{- define "numaspark.namespaceRules" -}}
# The runs of a ScheduledSparkApplication or a SparkTrial, and the server of a SparkConnect, which follows its spec; applications and
# trials whose time to live is over.
- apiGroups: [numaspark.io]
  resources: [sparkapplications]
  verbs: [create, update, delete]
- apiGroups: [numaspark.io]
  resources: [sparktrials]
  verbs: [delete]
{{- if .Values.kueue.enabled }}
# Applications wait for quota by a Workload each, and give it back in its status.
- apiGroups: [kueue.x-k8s.io]
  resources: [workloads]
  verbs: [get, list, watch, create, delete]
- apiGroups: [kueue.x-k8s.io]
  resources: [workloads/status]
  verbs: [update]
{{- end }}
# Drivers are created, followed, and stopped with their executors; old attempts are taken away.
- apiGroups: [""]
  resources: [pods]
  verbs: [get, list, watch, create, deletecollection]
# The end of a failed driver's log, for the words in the application's status.
- apiGroups: [""]
  resources: [pods/log]
  verbs: [get]
# The Service of a SparkConnect is kept as its spec says; those of attempts are created and deleted.
- apiGroups: [""]
  resources: [services]
  verbs: [get, list, watch, create, patch, deletecollection]
# A configuration that no driver has read yet is replaced if the profile's plan has changed.
- apiGroups: [""]
  resources: [configmaps]
  verbs: [get, create, delete, deletecollection]
# These are made only if they are granted; those of former attempts are deleted in any case.
- apiGroups: [networking.k8s.io]
  resources: [ingresses]
  verbs: [get, {{ if include "numaspark.makesIngresses" . }}create, {{ end }}deletecollection]
{{- if .Values.ui.gateway.name }}
- apiGroups: [gateway.networking.k8s.io]
  resources: [httproutes]
  verbs: [get, {{ if include "numaspark.makesRoutes" . }}create, {{ end }}deletecollection]
{{- end }}
- apiGroups: [policy]
  resources: [poddisruptionbudgets]
  verbs: [get, {{ if .Values.grants.podDisruptionBudgets }}create, {{ end }}deletecollection]
- apiGroups: [scheduling.volcano.sh, scheduling.x-k8s.io, scheduling.k8s.io]
  resources: [podgroups]
  verbs: [get, {{ if .Values.grants.podGroups }}create, {{ end }}deletecollection]
# An application whose executors a quota over slots would refuse waits.
- apiGroups: [""]
  resources: [resourcequotas]
  verbs: [list]
# What kubectl describe shows.
- apiGroups: [events.k8s.io]
  resources: [events]
  verbs: [create]
{{- end }}

{{/* The name of a Service has at most 63 characters. */}}
{{- define "numaspark.metricsService" -}}
{{ include "numaspark.fullname" . | trunc 55 | trimSuffix "-" }}-metrics
{{- end }}

{{/* How a ServiceMonitor or PodMonitor is scraped. */}}
{{- define "numaspark.endpoint" -}}
port: http
path: /metrics
{{- with .interval }}
interval: {{ . }}
{{- end }}
{{- with .scrapeTimeout }}
scrapeTimeout: {{ . }}
{{- end }}
{{- with .relabelings }}
relabelings: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .metricRelabelings }}
metricRelabelings: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{/* How drivers are scraped. Their ports of other kinds are no targets, nor are drivers without the Spark plugin, whose UI has no such
page. The numbers get short names, and labels that stay the same from run to run; Spark's own are left out. */}}
{{- define "numaspark.driverEndpoint" -}}
port: spark-ui
path: /metrics/prometheus/
{{- with .interval }}
interval: {{ . }}
{{- end }}
{{- with .scrapeTimeout }}
scrapeTimeout: {{ . }}
{{- end }}
relabelings:
  - {sourceLabels: [__meta_kubernetes_pod_annotation_prometheus_io_path], regex: /metrics/prometheus/, action: keep}
  - {sourceLabels: [__meta_kubernetes_pod_label_numaspark_io_application], targetLabel: application}
  - {sourceLabels: [namespace, application], separator: /, targetLabel: instance}
  - {regex: pod|container|endpoint, action: labeldrop}
  {{- with .relabelings }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
metricRelabelings:
  - sourceLabels: [__name__]
    regex: metrics_.+_driver_plugin_numaspark_plugin_NumasparkPlugin_(.+)_Value
    targetLabel: __name__
    replacement: numaspark_$1
  - {sourceLabels: [__name__], regex: numaspark_.+, action: keep}
  - {regex: type, action: labeldrop}
  {{- with .metricRelabelings }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end }}

{{/* A rule that lets a pod reach the API server. */}}
{{- define "numaspark.apiServerEgress" -}}
{{- with .Values.networkPolicy.apiServer -}}
ports:
  {{- range .ports }}
  - {protocol: TCP, port: {{ . }}}
  {{- end }}
{{- with .cidrs }}
to:
  {{- range . }}
  - ipBlock: {cidr: {{ . | quote }}}
  {{- end }}
{{- end }}
{{- end }}
{{- end }}

{{/* Not those of operator or agents: no selector may take a test for one of them. */}}
{{- define "numaspark.testLabels" -}}
app.kubernetes.io/name: {{ .Chart.Name }}-test
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{/* Where the pods of `helm test` run. */}}
{{- define "numaspark.testNamespaces" -}}
{{- $namespaces := list .Release.Namespace }}
{{- if .Values.agent.enabled }}{{ $namespaces = append $namespaces (include "numaspark.agentNamespace" .) }}{{ end }}
{{- uniq $namespaces | toJson }}
{{- end }}
