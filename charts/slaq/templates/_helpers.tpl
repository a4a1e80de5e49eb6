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

{{- define "slaq.serviceAccount" -}}
{{- default (include "slaq.name" .) .Values.serviceAccount.name -}}
{{- end -}}
