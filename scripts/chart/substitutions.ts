/** A text of the manifests that is a value in the chart. */
export interface Substitution {
  /** Where it must be found; anywhere, or nowhere, when left out. */
  readonly files?: readonly string[];
  readonly find: string;
  readonly put: string;
}

const POLICY = 'manifests/injection/policy.yaml';
const DEPLOYMENT = 'manifests/status-aggregator/deployment.yaml';

/** A variable of the injection: its text in CEL, and the value that takes its place. */
function variable(name: string, from: string, to: string): Substitution {
  const line = (expression: string) => `    - name: ${name}\n      expression: ${expression}\n`;
  return { files: [POLICY], find: line(from), put: line(`{{ ${to} | quote }}`) };
}

const text = (value: string) => `printf "'%s'" .Values.${value}`;
const json = (value: string) => `toJson .Values.${value}`;

/** Everything of the manifests that the chart has a value for. */
export const SUBSTITUTIONS: readonly Substitution[] = [
  { find: 'namespace: gatekeeper-system', put: 'namespace: {{ .Release.Namespace }}' },
  {
    find: 'name: ratify-gatekeeper-provider-admin',
    put: 'name: {{ .Values.ratify.serviceAccountName }}',
  },
  { find: 'apiGroups: [config.ratify.sh]', put: 'apiGroups: [{{ .Values.executorGroup }}]' },
  variable(
    'image',
    `"'registry.example/executor-status/executor-writer:0.1.0'"`,
    text('executorWriter.image'),
  ),
  variable('imagePullPolicy', `"'IfNotPresent'"`, text('executorWriter.imagePullPolicy')),
  variable('imagePullSecrets', '"[]"', json('executorWriter.imagePullSecrets')),
  variable('executorGroup', `"'config.ratify.sh'"`, text('executorGroup')),
  variable('arguments', '"[]"', json('executorWriter.arguments')),
  variable('ratifyContainer', `"'ratify-gatekeeper-provider'"`, text('ratify.containerName')),
  variable('leftOut', `'["/usr/local/tls"]'`, json('ratify.privateMounts')),
  variable('sigstoreCache', `"'/home/nonroot/.sigstore'"`, text('ratify.sigstoreCache')),
  variable(
    'resources',
    `'{"limits":{"memory":"128Mi"},"requests":{"cpu":"10m","memory":"80Mi"}}'`,
    json('executorWriter.resources'),
  ),
  {
    files: [POLICY],
    find: `    - name: readinessPolicy\n      expression: "'Always'"\n`,
    put: `    - name: readinessPolicy\n      expression: {{ ${text('executorWriter.readinessPolicy')} | quote }}\n`,
  },
  {
    files: [POLICY],
    find: '        app.kubernetes.io/name: ratify-gatekeeper-provider\n',
    put: '        {{- toYaml .Values.ratify.podLabels | nindent 8 }}\n',
  },
  {
    files: [DEPLOYMENT],
    find: '  replicas: 2\n',
    put: '  replicas: {{ .Values.statusAggregator.replicas }}\n',
  },
  {
    files: [DEPLOYMENT],
    find: 'image: registry.example/executor-status/status-aggregator:0.1.0',
    put: 'image: {{ .Values.statusAggregator.image | quote }}',
  },
  {
    files: [DEPLOYMENT],
    find: 'imagePullPolicy: IfNotPresent',
    put: 'imagePullPolicy: {{ .Values.statusAggregator.imagePullPolicy }}',
  },
  {
    files: [DEPLOYMENT],
    find: '            - --executor-group=config.ratify.sh\n',
    put: '            - --executor-group={{ .Values.executorGroup }}\n',
  },
  {
    files: [DEPLOYMENT],
    find: '            - --pod-selector=app.kubernetes.io/name=ratify-gatekeeper-provider\n',
    put:
      '            - --pod-selector={{ include "executor-status.podSelector" . }}\n' +
      '            {{- range .Values.statusAggregator.arguments }}\n            - {{ . | quote }}\n            {{- end }}\n',
  },
  {
    files: [DEPLOYMENT],
    find: '      serviceAccountName: status-aggregator\n',
    put:
      '      serviceAccountName: status-aggregator\n' +
      '      {{- with .Values.statusAggregator.priorityClassName }}\n      priorityClassName: {{ . }}\n      {{- end }}\n' +
      '      {{- with .Values.statusAggregator.imagePullSecrets }}\n      imagePullSecrets:\n' +
      '        {{- range . }}\n        - name: {{ . }}\n        {{- end }}\n      {{- end }}\n',
  },
  {
    files: [DEPLOYMENT],
    find: `            requests:\n              cpu: 20m\n              memory: 128Mi\n            limits:\n              memory: 384Mi\n`,
    put: '            {{- toYaml .Values.statusAggregator.resources | nindent 12 }}\n',
  },
];
