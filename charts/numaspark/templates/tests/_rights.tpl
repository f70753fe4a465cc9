{{/* The words are those of RightsClaim. Without a namespace they are said of all of them. */}}
{{- define "numaspark.operatorRights" -}}
{{- range list "sparknodeprofiles" "sparknodetopologies" "sparkapplications" "scheduledsparkapplications" "sparktrials" "sparkconnects" }}
- may list {{ . }}.numaspark.io
- may watch {{ . }}.numaspark.io
- may get customresourcedefinitions.apiextensions.k8s.io:{{ . }}.numaspark.io
{{- end }}
- may patch sparknodeprofiles.numaspark.io/status
- may patch sparkapplications.numaspark.io/status
- may patch scheduledsparkapplications.numaspark.io/status
- may patch sparktrials.numaspark.io/status
- may patch sparkconnects.numaspark.io/status
- may watch nodes
- may patch nodes/status
- may create events.events.k8s.io
- may create leases.coordination.k8s.io in {{ .Release.Namespace }}
- may update leases.coordination.k8s.io:{{ include "numaspark.fullname" . }} in {{ .Release.Namespace }}
- may patch nodes
- {{ .Values.agent.enabled | ternary "may" "may not" }} patch sparknodetopologies.numaspark.io
- {{ ternary "may" "may not" (and .Values.webhook.enabled .Values.foreignPods) }} watch namespaces
- may not patch namespaces
{{- range .Values.namespaces | default (list "") }}
{{- $in := "" }}
{{- if . }}{{ $in = printf " in %s" . }}{{ end }}
- may create sparkapplications.numaspark.io{{ $in }}
- may update sparkapplications.numaspark.io{{ $in }}
- may delete sparkapplications.numaspark.io{{ $in }}
- may delete sparktrials.numaspark.io{{ $in }}
- may watch pods{{ $in }}
- may create pods{{ $in }}
- may deletecollection pods{{ $in }}
- may get pods/log{{ $in }}
- may list resourcequotas{{ $in }}
- may watch services{{ $in }}
- may patch services{{ $in }}
{{- range list "services" "configmaps" }}
- may create {{ . }}{{ $in }}
- may deletecollection {{ . }}{{ $in }}
{{- end }}
- {{ ternary "may" "may not" (ne (include "numaspark.makesIngresses" $) "") }} create ingresses.networking.k8s.io{{ $in }}
- {{ ternary "may" "may not" (and (ne $.Values.ui.gateway.name "") (ne (include "numaspark.makesRoutes" $) "")) }} create httproutes.gateway.networking.k8s.io{{ $in }}
- {{ $.Values.grants.podDisruptionBudgets | ternary "may" "may not" }} create poddisruptionbudgets.policy{{ $in }}
{{- range list "scheduling.volcano.sh" "scheduling.k8s.io" }}
- {{ $.Values.grants.podGroups | ternary "may" "may not" }} create podgroups.{{ . }}{{ $in }}
{{- end }}
- {{ $.Values.kueue.enabled | ternary "may" "may not" }} create workloads.kueue.x-k8s.io{{ $in }}
- {{ $.Values.kueue.enabled | ternary "may" "may not" }} update workloads.kueue.x-k8s.io/status{{ $in }}
- may deletecollection ingresses.networking.k8s.io{{ $in }}
- may deletecollection poddisruptionbudgets.policy{{ $in }}
{{- end }}
{{- if .Values.namespaces }}
- may not create pods
- may not create sparkapplications.numaspark.io
- may not get pods/log
- {{ .Values.foreignPods | ternary "may" "may not" }} list pods
{{- end }}
- may not get secrets
- may not list secrets
- may not get secrets in {{ .Release.Namespace }}
- may not create pods/exec
- may not create pods/ephemeralcontainers
- may not patch pods
- may not create serviceaccounts/token
- may not create serviceaccounts
- may not update nodes
- may not delete nodes
- may not get nodes/proxy
- may not create clusterrolebindings.rbac.authorization.k8s.io
- may not escalate clusterroles.rbac.authorization.k8s.io
- may not bind clusterroles.rbac.authorization.k8s.io
- may not impersonate users
- may not list customresourcedefinitions.apiextensions.k8s.io
- may not update customresourcedefinitions.apiextensions.k8s.io
- may not delete validatingadmissionpolicies.admissionregistration.k8s.io
- may not update leases.coordination.k8s.io in kube-system
{{- end }}

{{- define "numaspark.webhookRights" -}}
{{- $name := include "numaspark.webhookName" . }}
{{- $own := empty .Values.webhook.certificate.secret | ternary "may" "may not" }}
{{- $secret := .Values.webhook.certificate.secret | default $name }}
{{- range list "sparknodeprofiles.numaspark.io" "sparknodetopologies.numaspark.io" "nodes" "namespaces" }}
- may list {{ . }}
- may watch {{ . }}
- may not patch {{ . }}
- may not update {{ . }}
{{- end }}
- may get secrets:{{ $secret }} in {{ .Release.Namespace }}
- {{ $own }} update secrets:{{ $secret }} in {{ .Release.Namespace }}
- {{ $own }} patch mutatingwebhookconfigurations.admissionregistration.k8s.io:{{ $name }}
- may not patch mutatingwebhookconfigurations.admissionregistration.k8s.io
- may not create mutatingwebhookconfigurations.admissionregistration.k8s.io
- may not get secrets
- may not get secrets in {{ .Release.Namespace }}
- may not create secrets in {{ .Release.Namespace }}
- may not list pods
- may not create pods
- may not patch nodes/status
- may not list sparkapplications.numaspark.io
- may not create serviceaccounts/token
- may not update leases.coordination.k8s.io in {{ .Release.Namespace }}
{{- end }}

{{- define "numaspark.agentRights" -}}
{{- range list "get" "list" "watch" "create" "update" }}
- may {{ . }} sparknodetopologies.numaspark.io
{{- end }}
- may update sparknodetopologies.numaspark.io/status
- may get nodes/configz
- may not delete sparknodetopologies.numaspark.io
- may not list sparkapplications.numaspark.io
- may not list sparknodeprofiles.numaspark.io
- may not get nodes/proxy
- may not get nodes
- may not patch nodes
- may not patch nodes/status
- may not list pods
- may not create pods
- may not get secrets
- may not get configmaps
- may not create serviceaccounts/token
- may not impersonate users
{{- end }}

{{/* A pod of `helm test`: a dict with root, who, namespace, account and claims. */}}
{{- define "numaspark.rightsPod" }}
{{- $values := .root.Values }}
---
apiVersion: v1
kind: Pod
{{- $hook := dict "helm.sh/hook" "test" "helm.sh/hook-delete-policy" "before-hook-creation" }}
metadata: {{- include "numaspark.metadata" (dict "root" .root "name" (printf "%s-test-%s" (include "numaspark.fullname" .root) .who) "namespace" .namespace "labels" (include "numaspark.testLabels" .root | fromYaml) "annotations" $hook) | nindent 2 }}
spec:
  restartPolicy: Never
  serviceAccountName: {{ .account }}
  # An agent's account does not mount its token by itself.
  automountServiceAccountToken: true
  enableServiceLinks: false
  {{- with $values.imagePullSecrets }}
  imagePullSecrets: {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with $values.nodeSelector }}
  nodeSelector: {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with $values.tolerations }}
  tolerations: {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with $values.affinity }}
  affinity: {{- toYaml . | nindent 4 }}
  {{- end }}
  securityContext: {{- include "numaspark.podSecurityContext" .root | nindent 4 }}
  containers:
    - name: check-rights
      image: {{ include "numaspark.image" (dict "root" .root "image" $values.image) | quote }}
      imagePullPolicy: {{ $values.image.pullPolicy }}
      args:
        - check-rights
        {{- toYaml .claims | nindent 8 }}
      resources:
        requests: {cpu: 50m, memory: 128Mi}
        limits: {memory: 256Mi}
      securityContext: {{- include "numaspark.containerSecurityContext" .root | nindent 8 }}
{{- end }}
