/**
 * A text such that two messages about the same fault, from different pods or at different times, give the same one: names of
 * pods, times, durations, ids, local addresses and ports are taken out. Only for comparing, never for showing.
 *
 * @param pod - the pod that said it: its own name and uid are taken out wherever they stand.
 */
export function likeness(message: string, pod: { readonly name: string; readonly uid: string }): string {
  const own = [pod.name, pod.uid].filter((text) => text !== '');
  const neutral = own.reduce((text, name) => text.replaceAll(name, '<pod>'), message);
  return RULES.reduce((text, [pattern, replacement]) => text.replace(pattern, replacement), neutral);
}

// In this order: what is longer and more certain first, so that no later rule eats a part of it.
const RULES: readonly (readonly [RegExp, string])[] = [
  [/\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?(?: UTC)?/g, '<time>'],
  [
    /\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{1,2} [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d (?:GMT|UTC|[+-]\d{4})/g,
    '<time>',
  ],
  [/\b\d\d:\d\d:\d\d(?:\.\d{1,9})?\b/g, '<time>'],
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, '<id>'],
  // Pods of a Deployment: …-<hash of the ReplicaSet>-<five letters of a fixed alphabet>, as apimachinery makes them.
  [
    /\b[a-z0-9][a-z0-9.-]{0,200}-[bcdfghjklmnpqrstvwxz2456789]{6,10}-[bcdfghjklmnpqrstvwxz2456789]{5}\b/g,
    '<pod>',
  ],
  // Hexadecimal ids: request ids, trace ids, digests. A digit and a length keep words out.
  [/\b(?=[a-f]*\d)(?:0x)?[0-9a-f]{8,}\b/gi, '<id>'],
  // The local end of a connection, as Go prints it, and ports.
  [/(?:\b\d{1,3}(?:\.\d{1,3}){3}|\[[0-9a-f:]{2,45}\]):\d{1,5}->/gi, '<local>->'],
  [/(?<=[\w\].]):\d{1,5}\b/g, ':<port>'],
  [/\b(?:\d{1,6}(?:\.\d{1,9})?(?:ns|µs|us|ms|s|m|h))+\b/g, '<duration>'],
  // Counters and process ids.
  [/\b\d{5,}\b/g, '<number>'],
];
