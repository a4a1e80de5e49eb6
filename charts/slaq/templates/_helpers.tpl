{{- define "slaq.name" -}}
{{- default .Release.Name .Values.fullnameOverride | trunc 45 | trimSuffix "-" -}}
{{- end -}}

{{- define "slaq.labels" -}}
{{- with .Values.commonLabels }}
{{- toYaml . }}
{{ end -}}
{{ include "slaq.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end -}}

{{- define "slaq.selector" -}}
app.kubernetes.io/name: slaq
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "slaq.image" -}}
{{- .Values.image.repository -}}
{{- if .Values.image.digest }}@{{ .Values.image.digest }}{{ else }}:{{ default .Chart.AppVersion .Values.image.tag }}{{ end -}}
{{- end -}}

{{- /* The configuration file: the values, without the ways to say the capacity and the source that were not taken. */}}
{{- define "slaq.config" -}}
{{- $config := deepCopy .Values.config -}}
{{- $capacity := $config.capacity -}}
{{- if and $capacity.cores $capacity.automatic -}}
{{- fail "config.capacity.cores and config.capacity.automatic=true can't be given together; remove one of them" -}}
{{- else if and $capacity.automatic $config.namespace -}}
{{- fail "config.capacity.automatic needs to see all nodes and pods; with config.namespace give config.capacity.cores instead" -}}
{{- else if and (gt (int .Values.replicas) 1) (not (include "slaq.elects" .)) -}}
{{- fail "without config.leaderElection.enabled two replicas would both decide; set replicas=1 or turn the election on" -}}
{{- else if $capacity.automatic -}}
{{- $_ := unset $capacity "cores" -}}
{{- else -}}
{{- $_ := required "config.capacity.cores is required: the cores that training jobs may share, such as \"64\"; or set config.capacity.automatic=true to share what the nodes have left" $capacity.cores -}}
{{- end -}}
{{- if kindIs "invalid" $config.loss.pods -}}
{{- $_ := unset $config.loss "pods" -}}
{{- else -}}
{{- $_ := unset $config.loss "prometheus" -}}
{{- end -}}
{{- if .Values.metrics.tls.secret -}}
{{- $_ := set $config.telemetry "certificateFile" "/etc/slaq-tls/tls.crt" -}}
{{- $_ := set $config.telemetry "keyFile" "/etc/slaq-tls/tls.key" -}}
{{- end -}}
{{- if and (include "slaq.authorize" .) (not $config.telemetry.certificateFile) -}}
{{- fail "metrics.authorize needs metrics.tls.secret, or config.telemetry.certificateFile and keyFile: tokens are not sent without encryption" -}}
{{- end -}}
{{- $_ := set $config.telemetry "authorize" (not (empty (include "slaq.authorize" .))) -}}
{{- if not $config.reportImage -}}
{{- $_ := set $config "reportImage" (include "slaq.image" .) -}}
{{- end -}}
{{- toYaml $config -}}
{{- end -}}

{{- /* Not empty if one of several controllers is elected. */}}
{{- define "slaq.elects" -}}
{{- $election := default dict .Values.config.leaderElection -}}
{{- if ne (toString $election.enabled) "false" -}}yes{{- end -}}
{{- end -}}

{{- /* Not empty if the controller asks the API server who may read its metrics. */}}
{{- define "slaq.authorize" -}}
{{- if or .Values.metrics.authorize (and .Values.config.telemetry .Values.config.telemetry.authorize) -}}yes{{- end -}}
{{- end -}}

{{- /* The port of an address such as 0.0.0.0:8080. */}}
{{- define "slaq.port" -}}
{{- regexFind "[0-9]+$" . -}}
{{- end -}}

{{- define "slaq.serviceAccount" -}}
{{- if .Values.serviceAccount.create -}}
{{- default (include "slaq.name" .) .Values.serviceAccount.name -}}
{{- else -}}
{{- required "serviceAccount.create=false needs serviceAccount.name: the name of the account that exists" .Values.serviceAccount.name -}}
{{- end -}}
{{- end -}}

{{- /* What the controller and the check of its configuration have mounted. */}}
{{- define "slaq.volumeMounts" -}}
- {name: token, mountPath: /var/run/secrets/kubernetes.io/serviceaccount, readOnly: true}
- {name: config, mountPath: /etc/slaq, readOnly: true}
{{- if .Values.metrics.tls.secret }}
- {name: tls, mountPath: /etc/slaq-tls, readOnly: true}
{{- end }}
{{- with .Values.extraVolumeMounts }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- define "slaq.volumes" -}}
# A token that lasts an hour and that the kubelet renews.
- name: token
  projected:
    sources:
      - serviceAccountToken: {path: token, expirationSeconds: 3600}
      - configMap: {name: kube-root-ca.crt, items: [{key: ca.crt, path: ca.crt}]}
      - downwardAPI: {items: [{path: namespace, fieldRef: {fieldPath: metadata.namespace}}]}
{{- with .Values.metrics.tls.secret }}
- name: tls
  secret: {secretName: {{ . }}}
{{- end }}
{{- with .Values.extraVolumes }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- define "slaq.placement" -}}
{{- with .Values.imagePullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.affinity }}
affinity: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}
