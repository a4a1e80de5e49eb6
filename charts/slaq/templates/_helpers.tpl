{{- define "slaq.name" -}}
{{- .Release.Name | trunc 45 | trimSuffix "-" -}}
{{- end -}}

{{- define "slaq.labels" -}}
app.kubernetes.io/name: slaq
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end -}}

{{- define "slaq.selector" -}}
app.kubernetes.io/name: slaq
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- /* The configuration file: the values, with one of the two ways to say the capacity. */}}
{{- define "slaq.config" -}}
{{- $config := deepCopy .Values.config -}}
{{- $capacity := $config.capacity -}}
{{- if and $capacity.cores $capacity.automatic -}}
{{- fail "config.capacity.cores and config.capacity.automatic=true can't be given together; remove one of them" -}}
{{- else if and $capacity.automatic $config.namespace -}}
{{- fail "config.capacity.automatic needs to see all nodes and pods; with config.namespace give config.capacity.cores instead" -}}
{{- else if $capacity.automatic -}}
{{- $_ := unset $capacity "cores" -}}
{{- else -}}
{{- $_ := required "config.capacity.cores is required: the cores that training jobs may share, such as \"64\"; or set config.capacity.automatic=true to share what the nodes have left" $capacity.cores -}}
{{- $_ := unset $capacity "automatic" -}}
{{- end -}}
{{- if .Values.metrics.tls.secret -}}
{{- $telemetry := merge (dict "certificateFile" "/etc/slaq-tls/tls.crt" "keyFile" "/etc/slaq-tls/tls.key" "authorize" .Values.metrics.authorize) (default dict $config.telemetry) -}}
{{- $_ := set $config "telemetry" $telemetry -}}
{{- else if .Values.metrics.authorize -}}
{{- fail "metrics.authorize needs metrics.tls.secret: tokens are not sent without encryption" -}}
{{- end -}}
{{- toYaml $config -}}
{{- end -}}

{{- define "slaq.serviceAccount" -}}
{{- default (include "slaq.name" .) .Values.serviceAccount.name -}}
{{- end -}}
