{{- define "astrolabe.labels" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}

{{/* Labels of one role: dict "root" $ "role" "index" */}}
{{- define "astrolabe.selector" -}}
app.kubernetes.io/name: {{ .root.Chart.Name }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .role }}
{{- end }}

{{- define "astrolabe.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{/* Part of every pod: who it runs as, where it runs, and how its image is fetched. */}}
{{- define "astrolabe.pod" -}}
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  seccompProfile: { type: RuntimeDefault }
automountServiceAccountToken: false
{{- with .Values.imagePullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{/* The container of a role: dict "root" $ "role" … "args" (list) "secrets" (list) "resources" … "ports" (dict name: port), and "env" (dict name: value) where it needs some */}}
{{- define "astrolabe.container" -}}
- name: {{ .role }}
  image: {{ include "astrolabe.image" .root }}
  imagePullPolicy: {{ .root.Values.image.pullPolicy }}
  args: {{ toJson .args }}
  env:
    - { name: ASTROLABE_CONFIG, value: /etc/astrolabe/config.json }
    {{- range $name, $value := .env }}
    - { name: {{ $name }}, value: {{ $value | quote }} }
    {{- end }}
  envFrom:
    {{- range .secrets }}
    - secretRef: { name: {{ . }} }
    {{- end }}
  ports:
    - { name: metrics, containerPort: {{ .root.Values.config.observability.port }} }
    {{- range $name, $port := .ports }}
    - { name: {{ $name }}, containerPort: {{ $port }} }
    {{- end }}
  startupProbe:
    httpGet: { path: /livez, port: metrics }
    periodSeconds: 2
    failureThreshold: 60
  livenessProbe:
    httpGet: { path: /livez, port: metrics }
    periodSeconds: 10
    timeoutSeconds: 3
  readinessProbe:
    httpGet: { path: /readyz, port: metrics }
    periodSeconds: 5
    timeoutSeconds: 3
  resources: {{- toYaml .resources | nindent 4 }}
  securityContext:
    allowPrivilegeEscalation: false
    readOnlyRootFilesystem: true
    capabilities: { drop: [ALL] }
  volumeMounts:
    - { name: config, mountPath: /etc/astrolabe, readOnly: true }
    - { name: data, mountPath: /var/lib/astrolabe }
    - { name: tmp, mountPath: /tmp }
{{- end }}

{{- define "astrolabe.volumes" -}}
- name: config
  configMap: { name: {{ .Release.Name }}-config }
- name: data
  emptyDir: {}
- name: tmp
  emptyDir: {}
{{- end }}
