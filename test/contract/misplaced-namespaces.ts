/** Kinds without a namespace, by each of their names: kubectl ignores a namespace for them, and a reader believes that it counts. */
const CLUSTER_SCOPED: ReadonlySet<string> = new Set(
  [
    'executor executors executors.config.ratify.sh executors.config.ratify.dev',
    'crd crds customresourcedefinition customresourcedefinitions apiservice apiservices',
    'clusterrole clusterroles clusterrolebinding clusterrolebindings',
    'namespace namespaces ns node nodes no pv persistentvolume persistentvolumes',
    'validatingadmissionpolicy validatingadmissionpolicies validatingadmissionpolicybinding',
    'mutatingadmissionpolicy mutatingadmissionpolicies mutatingadmissionpolicybinding',
  ].flatMap((names) => names.split(' ')),
);

/** The commands of kubectl in a page, in its blocks of shell or console and in its text, that give a cluster-scoped kind a namespace. */
export function misplacedNamespaces(page: string): readonly string[] {
  return kubectlCommands(page).filter((command) => {
    const words = command.split(/\s+/);
    return words.some(isNamespaceFlag) && words.some(isClusterScoped);
  });
}

/** Every command of kubectl in a page, each in one line. */
export function kubectlCommands(page: string): readonly string[] {
  const blocks = [...page.matchAll(/^```[a-z]*\n(.*?)^```$/gms)].map(([, block = '']) => block);
  const spans = [...page.replace(/^```[a-z]*\n.*?^```$/gms, '').matchAll(/`([^`]+)`/g)].map(
    ([, span = '']) => span,
  );
  return [...blocks, ...spans]
    .flatMap((text) => text.replaceAll(/\\\n\s*/g, ' ').split(/\n|&&|\|\|?|;|\$\(/))
    .map((command) => command.replace(/(?:^|\s)#.*$/, '').trim())
    .map((command) => command.replace(/^(?:\$ |sudo )/, ''))
    .filter((command) => /^kubectl\s/.test(command) || /\bxargs\b.*\bkubectl\s/.test(command));
}

function isNamespaceFlag(word: string): boolean {
  return /^(?:-n|-A|--namespace|--all-namespaces)(?:=|$)/.test(word) || /^-n[a-z]/.test(word);
}

/** `executor`, `executor/default`, and a list such as `pods,nodes`. */
function isClusterScoped(word: string): boolean {
  const [kinds = ''] = word.toLowerCase().split('/');
  return kinds.split(',').some((kind) => CLUSTER_SCOPED.has(kind));
}
