import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startComponent } from '../../test/support/control-plane/component-process.ts';
import type { RunningProcess } from '../../test/support/start-process.ts';
import { requireTools } from '../images/require-tools.ts';
import { runTool } from '../images/run-tool.ts';
import { containerdConfig, kubeletConfig, type NodeLayout, networkConfig } from './node-files.ts';
import { pauseArchive } from './pause-image.ts';
import { networkNamespaces, stopNode } from './stop-node.ts';

/** What a node needs from the outside. */
export interface NodeRequest {
  readonly kubeletProgram: string;
  /** The kubelet's; it may also be an administrator's. */
  readonly kubeconfig: string;
  /** Archives of images that pods shall find here. */
  readonly archives: readonly string[];
  readonly log: (line: string) => void;
}

/** A Kubernetes node on this machine: containerd and a kubelet. */
export interface RunningNode extends AsyncDisposable {
  readonly name: string;
  readonly directory: string;
  /** Calls containerd's client in the namespace of Kubernetes. */
  readonly ctr: (...args: readonly string[]) => Promise<string>;
}

/** Addresses of documentation and of nobody's network, so that no route of this machine is hidden. */
export const POD_RANGE = '198.18.77.0/24';
export const SERVICE_RANGE = '198.18.78.0/24';
export const API_ADDRESS = '198.18.78.1';
const GATEWAY = '198.18.77.1';
const BRIDGE = 'exst0';

const TOOLS = {
  containerd: 'containerd',
  runc: 'runc',
  ip: 'iproute2',
  '/usr/lib/cni/bridge': 'containernetworking-plugins',
  iptables: 'iptables',
};

/** Gives this machine the address of the API server, before that starts. Needs root. Returns what takes it away. */
export async function addApiAddress(log: (line: string) => void): Promise<() => Promise<void>> {
  await requireTools(TOOLS, log);
  await runTool('ip', ['address', 'replace', `${API_ADDRESS}/32`, 'dev', 'lo']);
  return async () => {
    await runTool('ip', ['address', 'delete', `${API_ADDRESS}/32`, 'dev', 'lo']);
  };
}

/** Starts containerd and a kubelet; the node joins by itself. Needs root. */
export async function startNode(request: NodeRequest): Promise<RunningNode> {
  const directory = await mkdtemp(join(tmpdir(), 'executor-status-node-'));
  const pauseImage = 'registry.example/executor-status/pause:1';
  const file = (name: string) => join(directory, name);
  const layout = { file, podRange: POD_RANGE, gateway: GATEWAY, bridge: BRIDGE, pauseImage };
  const ctr = (...args: readonly string[]) =>
    runTool('ctr', ['--address', file('containerd.sock'), '--namespace', 'k8s.io', ...args]);
  const processes: RunningProcess[] = [];
  const namespaces = await networkNamespaces();
  const stop = () => stopNode({ directory, bridge: BRIDGE, processes, ctr, namespaces });
  try {
    await writeFiles(layout);
    await addBridge();
    processes.push(await startContainerd(layout, ctr));
    for (const archive of [await pauseArchive(directory, pauseImage), ...request.archives]) {
      request.log(`loading ${archive}`);
      await ctr('images', 'import', '--snapshotter', 'native', archive);
    }
    processes.push(await startKubelet(layout, request));
  } catch (error) {
    await stop();
    throw error;
  }
  return { name: NODE_NAME, directory, ctr, [Symbol.asyncDispose]: stop };
}

const NODE_NAME = 'node-1';

async function writeFiles(layout: NodeLayout): Promise<void> {
  const { file } = layout;
  await mkdir(file('cni'));
  await writeFile(file('containerd.toml'), containerdConfig(layout));
  await writeFile(file('cni/10-bridge.conflist'), JSON.stringify(networkConfig(layout)));
  await writeFile(file('kubelet.json'), JSON.stringify(kubeletConfig(layout)));
  await writeFile(file('resolv.conf'), 'nameserver 127.0.0.1\n');
}

/** Before the first pod, since the kubelet listens on its address. */
async function addBridge(): Promise<void> {
  await runTool('ip', ['link', 'add', BRIDGE, 'type', 'bridge']).catch((error: unknown) => {
    if (!String(error).includes('exists')) throw error;
  });
  await runTool('ip', ['address', 'replace', `${GATEWAY}/24`, 'dev', BRIDGE]);
  await runTool('ip', ['link', 'set', BRIDGE, 'up']);
}

function startContainerd({ file }: NodeLayout, ctr: RunningNode['ctr']): Promise<RunningProcess> {
  return startComponent({
    name: 'containerd',
    command: 'containerd',
    args: ['--config', file('containerd.toml')],
    directory: file(''),
    logFile: file('containerd.log'),
    ready: async () => (await ctr('version')) !== '',
  });
}

function startKubelet({ file, gateway }: NodeLayout, request: NodeRequest): Promise<RunningProcess> {
  const args = {
    config: file('kubelet.json'),
    kubeconfig: request.kubeconfig,
    'root-dir': file('kubelet'),
    'cert-dir': file('kubelet-certificates'),
    'hostname-override': NODE_NAME,
    'node-ip': gateway,
  };
  return startComponent({
    name: 'kubelet',
    command: request.kubeletProgram,
    args: Object.entries(args).map(([name, value]) => `--${name}=${value}`),
    directory: file(''),
    logFile: file('kubelet.log'),
  });
}
