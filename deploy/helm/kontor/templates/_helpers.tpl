{{- define "kontor.name" -}}
{{- .Values.fullnameOverride | default (ternary .Release.Name (printf "%s-%s" .Release.Name (.Values.nameOverride | default .Chart.Name)) (contains .Chart.Name .Release.Name)) | trunc 50 | trimSuffix "-" -}}
{{- end -}}

{{- define "kontor.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "kontor.labels" -}}
{{ include "kontor.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end -}}

{{- define "kontor.secret" -}}
{{- .Values.existingSecret | default (include "kontor.name" .) -}}
{{- end -}}

{{- define "kontor.image" -}}
{{- printf "%s:%s" .Values.image.repository (.Values.image.tag | default .Chart.AppVersion) -}}
{{- end -}}

{{/* Whether the one api pod has all roles and all files. */}}
{{- define "kontor.single" -}}
{{- if eq .Values.files.storage "volume" }}true{{ end -}}
{{- end -}}

{{- define "kontor.persistent" -}}
{{- if or .Values.persistence.enabled (include "kontor.single" .) }}true{{ end -}}
{{- end -}}

{{- define "kontor.hasWorkers" -}}
{{- if and (gt (int .Values.worker.replicas) 0) (not (include "kontor.single" .)) }}true{{ end -}}
{{- end -}}

{{/* The settings and security of every container. */}}
{{- define "kontor.container" -}}
image: {{ include "kontor.image" . }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities:
    drop: [ALL]
envFrom:
  - secretRef:
      name: {{ include "kontor.secret" . }}
{{- end -}}

{{- define "kontor.environment" -}}
- name: KONTOR_BASE_URL
  value: {{ .Values.baseUrl | quote }}
{{- range $name, $value := .Values.settings }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- end -}}

{{/* The security and placement of every pod. Links to services would set KONTOR_PORT to an address. */}}
{{- define "kontor.pod" -}}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile:
    type: RuntimeDefault
{{- with .Values.imagePullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{/* The pod template of api and worker; called with root, component, roles, resources and persistent. */}}
{{- define "kontor.template" -}}
metadata:
  labels:
    {{- include "kontor.labels" .root | nindent 4 }}
    app.kubernetes.io/component: {{ .component }}
  annotations:
    # Pods restart when their secrets change.
    checksum/secrets: {{ toYaml .root.Values.secrets | sha256sum }}
    {{- with .root.Values.podAnnotations }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
spec:
  {{- include "kontor.pod" .root | nindent 2 }}
  # The pause before the signal, KONTOR_SHUTDOWN_TIMEOUT (25 s), and time to close connections.
  terminationGracePeriodSeconds: 45
  topologySpreadConstraints:
    - maxSkew: 1
      topologyKey: kubernetes.io/hostname
      whenUnsatisfiable: ScheduleAnyway
      labelSelector:
        matchLabels:
          {{- include "kontor.selector" .root | nindent 10 }}
          app.kubernetes.io/component: {{ .component }}
  containers:
    - name: kontor
      {{- include "kontor.container" .root | nindent 6 }}
      env:
        {{- include "kontor.environment" .root | nindent 8 }}
        - name: KONTOR_ROLES
          value: {{ .roles }}
      ports:
        - name: http
          containerPort: 8080
      # Migrations run before the server listens; a large one takes minutes.
      startupProbe:
        httpGet: { path: /livez, port: http }
        periodSeconds: 5
        failureThreshold: 360
      livenessProbe:
        httpGet: { path: /livez, port: http }
        periodSeconds: 10
        timeoutSeconds: 5
        failureThreshold: 6
      readinessProbe:
        httpGet: { path: /readyz, port: http }
        periodSeconds: 5
        timeoutSeconds: 3
        failureThreshold: 2
      lifecycle:
        preStop:
          # Until proxies know that no requests should come here any more.
          exec: { command: [sleep, '5'] }
      resources:
        {{- toYaml .resources | nindent 8 }}
      volumeMounts:
        - { name: data, mountPath: /data }
        - { name: tmp, mountPath: /tmp }
  volumes:
    - name: tmp
      emptyDir: { sizeLimit: {{ .root.Values.tmpSize }} }
    {{- if not .persistent }}
    - name: data
      emptyDir: { sizeLimit: {{ .root.Values.persistence.size }} }
    {{- end }}
{{- end -}}

{{/* A claim, called with size and storageClass. */}}
{{- define "kontor.claim" -}}
accessModes: [ReadWriteOnce]
{{- with .storageClass }}
storageClassName: {{ . }}
{{- end }}
resources:
  requests:
    storage: {{ .size }}
{{- end -}}
