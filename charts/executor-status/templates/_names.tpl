{{/* The labels of Ratify's pods as a selector. */}}
{{- define "executor-status.podSelector" -}}
{{- $terms := list -}}
{{- range $key, $value := .Values.ratify.podLabels -}}
{{- $terms = append $terms (printf "%s=%s" $key $value) -}}
{{- end -}}
{{- join "," $terms -}}
{{- end -}}
