{{/* What the schema cannot say with a message that helps. */}}
{{- define "numaspark.checks" -}}
{{- $reserved := list "app.kubernetes.io/name" "app.kubernetes.io/instance" "app.kubernetes.io/version" "app.kubernetes.io/managed-by" "helm.sh/chart" "numaspark.io/agent" }}
{{- range $field, $labels := dict "commonLabels" .Values.commonLabels "podLabels" .Values.podLabels "agent.podLabels" .Values.agent.podLabels }}
{{- range $label, $_ := $labels }}
{{- if has $label $reserved }}{{ fail (printf "%s: label %s is the chart's own; remove it" $field $label) }}{{ end }}
{{- end }}
{{- end }}
{{- range $field, $variables := dict "extraEnv" .Values.extraEnv "agent.extraEnv" .Values.agent.extraEnv "webhook.extraEnv" .Values.webhook.extraEnv }}
{{- range $variables }}
{{- if hasPrefix "NUMASPARK_" .name }}{{ fail (printf "%s: variable %s is the chart's own; remove it and set the chart's value for it" $field .name) }}{{ end }}
{{- end }}
{{- end }}
{{- range $field, $account := dict "serviceAccount" .Values.serviceAccount "agent.serviceAccount" .Values.agent.serviceAccount }}
{{- if not (or $account.create $account.name) }}{{ fail (printf "%s.name: missing; with create: false, give the name of one that exists" $field) }}{{ end }}
{{- end }}
{{- with .Values.sparkPlugin }}
{{- if and .path .image.repository }}{{ fail "sparkPlugin: path and image.repository are both given; remove one" }}{{ end }}
{{- end }}
{{- if and .Values.sharedPages.namespaces (not .Values.agent.enabled) }}{{ fail "sharedPages.namespaces: agents make and sweep the folders; set agent.enabled: true" }}{{ end }}
{{- if and .Values.agent.enforce (not .Values.agent.enabled) }}{{ fail "agent.enforce: there is no agent to enforce anything; set agent.enabled: true" }}{{ end }}
{{- if and .Values.agent.pinner.enabled (not .Values.agent.enabled) }}{{ fail "agent.pinner.enabled: the pinner needs the agent; set agent.enabled: true, or agent.pinner.elsewhere: true if the agents of another release have pinners" }}{{ end }}
{{- if and .Values.agent.counters.enabled (not .Values.agent.enabled) }}{{ fail "agent.counters.enabled: the counter needs the agent; set agent.enabled: true" }}{{ end }}
{{- if eq (int .Values.probes.port) (int .Values.metrics.port) }}{{ fail "probes.port: it is that of the metrics; choose another" }}{{ end }}
{{- if and .Values.webhook.enabled (has (int .Values.webhook.port) (list (int .Values.metrics.port) (int .Values.probes.port))) }}{{ fail "webhook.port: it is that of the metrics or of the probes; choose another" }}{{ end }}
{{- if and .Values.ui.gateway.name (not .Values.ui.gateway.namespace) }}{{ fail "ui.gateway.namespace: missing; give the namespace of the Gateway" }}{{ end }}
{{- if and (or .Values.ui.gateway.namespace .Values.ui.gateway.sectionName) (not .Values.ui.gateway.name) }}{{ fail "ui.gateway.name: missing; give the name of the Gateway, or remove its namespace and sectionName" }}{{ end }}
{{- range .Values.extraVolumes }}
{{- if eq .name "tmp" }}{{ fail "extraVolumes: the name tmp is the chart's own; choose another" }}{{ end }}
{{- end }}
{{- end }}
