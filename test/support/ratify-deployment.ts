/** What of Ratify's Deployment differs from installation to installation. */
export interface RatifyDeployment {
  readonly name?: string;
  readonly namespace: string;
  readonly replicas?: number;
  readonly image?: string;
  readonly serviceAccount?: string;
  /** Over those of Ratify's chart. */
  readonly container?: Readonly<Record<string, unknown>>;
  /** Over those of Ratify's chart. */
  readonly pod?: Readonly<Record<string, unknown>>;
}

const LABELS = {
  'app.kubernetes.io/name': 'ratify-gatekeeper-provider',
  'app.kubernetes.io/instance': 'ratify',
};

/** The pod template of {@link ratifyDeployment}. */
export function ratifyPodTemplate(fields: RatifyDeployment) {
  return {
    metadata: { labels: LABELS },
    spec: {
      serviceAccountName: fields.serviceAccount ?? 'ratify-gatekeeper-provider-admin',
      containers: [ratifyContainer(fields)],
      volumes: [
        { name: 'tls', secret: { secretName: 'ratify-tls', optional: true } },
        { name: 'client-ca', secret: { secretName: 'gatekeeper-client-ca', optional: true } },
        { name: 'sigstore-cache', emptyDir: {} },
        { name: 'notation-certs', configMap: { name: 'notation-certs', optional: true } },
      ],
      ...fields.pod,
    },
  };
}

function ratifyContainer({ image = 'registry.example/ratify:test', container }: RatifyDeployment) {
  return {
    name: 'ratify-gatekeeper-provider',
    image,
    imagePullPolicy: 'IfNotPresent',
    env: [
      { name: 'RATIFY_NAMESPACE', valueFrom: { fieldRef: { fieldPath: 'metadata.namespace' } } },
      { name: 'RATIFY_NAME', value: 'ratify-gatekeeper-provider' },
      { name: 'RATIFY_LOG_LEVEL', value: 'info' },
    ],
    volumeMounts: [
      { name: 'tls', mountPath: '/usr/local/tls', readOnly: true },
      { name: 'client-ca', mountPath: '/usr/local/tls/client-ca', readOnly: true },
      { name: 'sigstore-cache', mountPath: '/home/nonroot/.sigstore' },
      { name: 'notation-certs', mountPath: '/usr/local/notation/certs', readOnly: true },
    ],
    securityContext: {
      allowPrivilegeEscalation: false,
      capabilities: { drop: ['ALL'] },
      readOnlyRootFilesystem: true,
      runAsNonRoot: true,
      seccompProfile: { type: 'RuntimeDefault' },
    },
    ...container,
  };
}

/** A Deployment with the labels, container name, environment and mounts that Ratify's chart 2.0 gives it. */
export function ratifyDeployment(fields: RatifyDeployment) {
  const { name = 'ratify-gatekeeper-provider', namespace, replicas = 3 } = fields;
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace, labels: { ...LABELS, 'app.kubernetes.io/managed-by': 'Helm' } },
    spec: { replicas, selector: { matchLabels: LABELS }, template: ratifyPodTemplate(fields) },
  };
}
