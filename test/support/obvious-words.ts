import type { Judged } from './obvious-moment.ts';

/** What a fresh executor says. */
export function buildingWords(pods: readonly Judged[]): string {
  if (pods.length === 0) return 'no Ratify pod runs';
  if (pods.every(({ standing }) => standing === 'unobserved'))
    return 'no Ratify pod has the executor-writer sidecar: restart the pods';
  const done = pods.filter(({ standing }) => standing === 'succeeded' || standing === 'failed').length;
  return `building: ${done}/${pods.length} pods have reported`;
}

/** The verdict of a failure: how many, every cause with its pods, and who does not report. */
export function unhealthyWords(pods: readonly Judged[]): {
  readonly error: string;
  readonly briefError: string;
} {
  const overdue = pods.filter((one) => one.overdue).map(({ pod }) => pod.name);
  const failed = pods.filter(({ standing }) => standing === 'failed').length;
  const causes = groupsOf(pods).map(({ message, pods: names }) => `${message} (${listed(names)})`);
  const silent = overdue.length > 0 ? [`no report from ${listed(overdue)}`] : [];
  const text = [...causes, ...silent].join('; ');
  return {
    error: `${failed + overdue.length}/${pods.length} replicas unhealthy: ${text}`,
    briefError: groupsOf(pods)[0]?.message ?? silent[0] ?? '',
  };
}

/** Words that go together, and the names of the pods that say them. */
export interface Group {
  readonly word: string;
  readonly message: string;
  readonly pods: readonly string[];
}

/** The failures, the most frequent first; the texts of the stories name no pods, times or ids. */
export function groupsOf(pods: readonly Judged[]): readonly Group[] {
  const said = pods.flatMap(({ standing, pod, report }) =>
    standing === 'failed'
      ? [{ word: report?.reason ?? '', message: report?.error ?? '', name: pod.name }]
      : [],
  );
  return gathered(said);
}

export function warningsOf(pods: readonly Judged[]): readonly Group[] {
  const current = pods.filter(({ standing }) => standing === 'succeeded' || standing === 'failed');
  const said = current.flatMap(({ pod, report }) =>
    (report?.warnings ?? []).map(({ code, message }) => ({ word: code, message, name: pod.name })),
  );
  return gathered(said);
}

function gathered(
  said: readonly { readonly word: string; readonly message: string; readonly name: string }[],
) {
  const groups: { word: string; message: string; pods: string[] }[] = [];
  for (const { word, message, name } of said) {
    const known = groups.find((group) => group.word === word && group.message === message);
    if (known === undefined) groups.push({ word, message, pods: [name] });
    else if (!known.pods.includes(name)) known.pods.push(name);
  }
  const text = ({ word, message }: { word: string; message: string }) => `${word} ${message}`;
  return groups.sort((a, b) => b.pods.length - a.pods.length || (text(a) < text(b) ? -1 : 1));
}

const listed = (names: readonly string[]) =>
  names.length > 3 ? `${names.slice(0, 3).join(', ')} and ${names.length - 3} more` : names.join(', ');
