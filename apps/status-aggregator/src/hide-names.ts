import type { ReportStatus } from '@executor-status/api';
import type { Pod } from './pod.ts';
import type { StatusSettings } from './status-settings.ts';

/** Which names a status does not tell; see docs/decisions/0006-hidden-names.md. */
export type Hiding = Pick<StatusSettings, 'hideNodeNames' | 'hidePodNames'>;

/** Stands where a hidden node is named in a text. */
const SOME_NODE = '[node]';

/**
 * What `pod` reports, without its name and that of its node as far as they are hidden: in the place of a pod's name stands its uid.
 * The same object comes back for the same report, so that what is worked out of it need not be worked out again.
 */
export function hideInReport(report: ReportStatus, pod: Pod, hiding: Hiding): ReportStatus {
  if (!hidesAnything(hiding)) return report;
  const named = namesOf(pod);
  const asked = JSON.stringify([hiding.hidePodNames, hiding.hideNodeNames, named]);
  const known = hidden.get(report);
  if (known?.asked === asked) return known.report;
  const hide = (text: string) => hideNames(text, [named], hiding);
  const without = withoutNames(report, hide);
  hidden.set(report, { asked, report: without });
  return without;
}

/** A pod by its names. */
export interface Named {
  readonly name: string;
  readonly uid: string;
  readonly nodeName?: string | undefined;
}

/** The names of a pod, for {@link hideNames}. */
export function namesOf({ metadata: { name, uid }, nodeName }: Pod): Named {
  return { name, uid, nodeName };
}

/** `text` without the names of `pods` and of their nodes, as far as they are hidden. A second time it changes nothing. */
export function hideNames(text: string, pods: readonly Named[], hiding: Hiding): string {
  const instead = new Map([
    ...(hiding.hideNodeNames ? pods.map(({ nodeName = '' }) => [nodeName, SOME_NODE] as const) : []),
    ...(hiding.hidePodNames ? pods.map(({ name, uid }) => [name, uid] as const) : []),
  ]);
  instead.delete('');
  // A node that is called like the word in its place cannot be told from it.
  instead.delete('node');
  if (instead.size === 0) return text;
  // A longer name may begin with a shorter one.
  const names = [...instead.keys()].toSorted((a, b) => b.length - a.length);
  // Only whole names: pod-1 is no part of pod-10 or my-pod-1. A dot ends one, since a host name goes on with a domain.
  const whole = new RegExp(`(?<![A-Za-z0-9-])(?:${names.map(literally).join('|')})(?![A-Za-z0-9-])`, 'g');
  const cleared = text.replace(CUT, (cut: string, words: string) => {
    const at = beginningOfName(words, names);
    return at === undefined ? cut : `${words.slice(0, at)}…`;
  });
  return cleared.replace(whole, (name) => instead.get(name) ?? name);
}

/** What stands before the sign of a cut: it may be the beginning of a name. */
const CUT = /([A-Za-z0-9.-]+)…/g;

/** Fewer letters of a name tell nothing. */
const LEAST_LETTERS = 4;

/** Where in `words` the beginning of one of the names stands that goes on to its end. */
function beginningOfName(words: string, names: readonly string[]): number | undefined {
  const starts = [...words.matchAll(/(?<![A-Za-z0-9-])[A-Za-z0-9]/g)].map(({ index }) => index);
  return starts.find((at) => {
    const begun = words.slice(at);
    return begun.length >= LEAST_LETTERS && names.some((name) => name.startsWith(begun));
  });
}

const hidden = new WeakMap<ReportStatus, { readonly asked: string; readonly report: ReportStatus }>();

/** Whether any name is hidden. */
export const hidesAnything = ({ hideNodeNames, hidePodNames }: Hiding) => hideNodeNames || hidePodNames;

/** Every text of a report that may come into a status. */
function withoutNames(report: ReportStatus, hide: (text: string) => string): ReportStatus {
  const { id, error, briefError, warnings, material } = report;
  return {
    ...report,
    id: hide(id),
    ...(error && { error: hide(error) }),
    ...(briefError && { briefError: hide(briefError) }),
    ...(warnings && {
      warnings: warnings.map(({ path, message, ...warning }) => ({
        ...warning,
        ...(path && { path: hide(path) }),
        message: hide(message),
      })),
    }),
    ...(material && {
      material: material.map((one) => ({ ...one, path: hide(one.path), source: hide(one.source) })),
    }),
  };
}

/** Of what can stand in a name, only the dot means something in a pattern. */
const literally = (name: string) => name.replaceAll('.', '\\.');
