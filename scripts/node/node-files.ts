/** Where the parts of a node on this machine are; all below one folder, so that nothing else is touched. */
export interface NodeLayout {
  readonly file: (name: string) => string;
  readonly podRange: string;
  /** Of the bridge, where pods find the machine. */
  readonly gateway: string;
  readonly bridge: string;
  readonly pauseImage: string;
}

/** The configuration of containerd 1.6 and later. */
export function containerdConfig({ file, pauseImage }: NodeLayout): string {
  return `version = 2
root = ${JSON.stringify(file('containerd'))}
state = ${JSON.stringify(file('containerd-state'))}
[grpc]
  address = ${JSON.stringify(file('containerd.sock'))}
[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = ${JSON.stringify(pauseImage)}
  # Without it a sandbox fails where the score of this process may not be lowered.
  restrict_oom_score_adj = true
  [plugins."io.containerd.grpc.v1.cri".containerd]
    default_runtime_name = "runc"
    snapshotter = "native"
    [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
      runtime_type = "io.containerd.runc.v2"
      [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc.options]
        SystemdCgroup = false
  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = "/usr/lib/cni"
    conf_dir = ${JSON.stringify(file('cni'))}
`;
}

/** A bridge of its own for the pods. */
export function networkConfig({ podRange, bridge, file }: NodeLayout) {
  return {
    cniVersion: '1.0.0',
    name: bridge,
    plugins: [
      {
        type: 'bridge',
        bridge,
        isGateway: true,
        ipMasq: false,
        hairpinMode: true,
        ipam: {
          type: 'host-local',
          ranges: [[{ subnet: podRange }]],
          routes: [{ dst: '0.0.0.0/0' }],
          dataDir: file('addresses'),
        },
      },
    ],
  };
}

/** The configuration of a kubelet that asks for little: one that runs in a container, on any kind of cgroup. */
export function kubeletConfig({ file, gateway }: NodeLayout) {
  return {
    apiVersion: 'kubelet.config.k8s.io/v1beta1',
    kind: 'KubeletConfiguration',
    authentication: { anonymous: { enabled: false }, webhook: { enabled: true }, x509: {} },
    authorization: { mode: 'Webhook' },
    address: gateway,
    port: 10_250,
    readOnlyPort: 0,
    healthzPort: 0,
    cgroupDriver: 'cgroupfs',
    failCgroupV1: false,
    failSwapOn: false,
    enforceNodeAllocatable: [],
    evictionHard: { 'memory.available': '50Mi', 'nodefs.available': '1%', 'imagefs.available': '1%' },
    imageGCHighThresholdPercent: 100,
    containerRuntimeEndpoint: `unix://${file('containerd.sock')}`,
    resolvConf: file('resolv.conf'),
    syncFrequency: '10s',
    nodeStatusUpdateFrequency: '5s',
    // A restarted container shall not be waited for in tests.
    crashLoopBackOff: { maxContainerRestartPeriod: '5s' },
  };
}
