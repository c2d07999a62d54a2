/** What a `go.mod` for one Kubernetes version is made of. */
export interface GoModule {
  /** `1.36.3`. */
  readonly version: string;
  readonly etcdVersion: string;
  /** The text of the `go.mod` of k8s.io/kubernetes itself at that version. */
  readonly kubernetesGoMod: string;
}

/**
 * Writes the `go.mod` of our program.
 *
 * Kubernetes keeps its libraries in its own repository and replaces them by local folders. Those
 * replacements do not reach a module that merely requires it, so each is turned into one that names the
 * published version: v0.36.3 belongs to v1.36.3. Go itself adds what else is needed (`-mod=mod`).
 *
 * @throws {Error} if the text is not what Kubernetes ships: no replaced library, or no Go version.
 */
export function goModFile({ version, etcdVersion, kubernetesGoMod }: GoModule): string {
  const go = /^go (\S+)$/m.exec(kubernetesGoMod)?.[1];
  const godebug = /^godebug (\S+)$/m.exec(kubernetesGoMod)?.[1];
  const staging = [...kubernetesGoMod.matchAll(/^\s*(?:replace )?(k8s\.io\/\S+) => \.\/staging\/src\//gm)];
  if (go === undefined || staging.length === 0) {
    throw new Error(`the go.mod of k8s.io/kubernetes v${version} names no Go version or no staging module`);
  }
  const published = `v${version.replace(/^1\./, '0.')}`;
  return [
    'module kube',
    `go ${go}`,
    ...(godebug === undefined ? [] : [`godebug ${godebug}`]),
    `require k8s.io/kubernetes v${version}`,
    `require go.etcd.io/etcd/server/v3 v${etcdVersion}`,
    ...staging.map(([, path]) => `replace ${path} => ${path} ${published}`),
    '',
  ].join('\n');
}

/**
 * The linker flags that stamp the version. Without them the API server believes to be of version 0, and
 * the defaults of features and CRDs go wrong.
 */
export function versionFlags(version: string): string {
  const [major, minor] = version.split('.');
  const stamps = {
    'k8s.io/component-base/version.gitVersion': `v${version}`,
    'k8s.io/component-base/version.gitMajor': major,
    'k8s.io/component-base/version.gitMinor': minor,
    'k8s.io/client-go/pkg/version.gitVersion': `v${version}`,
  };
  return ['-s -w', ...Object.entries(stamps).map(([name, value]) => `-X ${name}=${value}`)].join(' ');
}
