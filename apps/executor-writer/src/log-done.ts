import { KubeError } from '@executor-status/kube';
import type { Log } from '@executor-status/process';
import { SETTLES_WITHIN, settles } from './write-retry.ts';
import type { WriterDone } from './writer.ts';

/**
 * Logs what went wrong, once in five minutes for each kind of trouble. What the next try settles by itself (a conflict, an
 * object that vanished meanwhile, a call that the stop ended) is no trouble, unless it never settles.
 */
export function logDone(log: Log): (done: WriterDone) => void {
  const rare = log.onceIn(REPEAT_MS);
  return (done) => {
    const { error, work, key, attempt = 1, retryInMs } = done;
    if (error === undefined) return;
    log.debug('failed; trying again', { work, key, attempt, retryInMs, error });
    if (!(error instanceof KubeError)) {
      rare.error('failed unexpectedly; trying again', { work, key, error });
      return;
    }
    const trouble = troubleOf(error, attempt);
    if (trouble.level === 'debug') return;
    // Without the name of the object: one trouble with all of them is one line.
    const problem = error.message.replace(error.target, error.target.split(' ')[0] ?? '');
    rare[trouble.level](trouble.message, {
      work,
      problem,
      ...(trouble.remedy && { remedy: trouble.remedy }),
    });
  };
}

/**
 * What a failed call means for whoever runs the writer; `debug` if it settles by itself.
 *
 * @param attempt - how often it has failed in a row; at least 1.
 */
export function troubleOf(error: KubeError, attempt: number): Omit<Trouble, 'is'> {
  if (settles(error) && attempt > SETTLES_WITHIN) return OTHER;
  const { is: _, ...trouble } = TROUBLES.find(({ is }) => is(error)) ?? OTHER;
  return trouble;
}

/** Design rule 4: the line that names what is missing is repeated every 5 minutes. */
const REPEAT_MS = 300_000;

interface Trouble {
  readonly is: (error: KubeError) => boolean;
  readonly level: 'debug' | 'warn' | 'error';
  readonly message: string;
  readonly remedy?: string;
}

const OTHER: Trouble = { is: () => true, level: 'warn', message: 'a call failed; trying again' };

const TROUBLES: readonly Trouble[] = [
  {
    is: (error) => settles(error) || error.reason === 'Aborted',
    level: 'debug',
    message: 'settled by the next try',
  },
  {
    // k8s.io/apiserver, plugin/namespace/lifecycle: a right would not help.
    is: ({ code, message }) => code === 403 && message.includes('because it is being terminated'),
    level: 'warn',
    message: 'the namespace is being deleted: nothing can be reported in it any more; trying again',
  },
  {
    // k8s.io/apiserver, admission/plugin/policy/validating and admission/plugin/webhook/errors; they choose the code.
    is: ({ code = 0, message }) => code >= 400 && code < 500 && /\bdenied (?:the )?request\b/.test(message),
    level: 'error',
    message: 'an admission policy or webhook denies a report; trying again',
    remedy: 'let the admission policy or webhook that it names allow the reports of this pod',
  },
  {
    is: ({ code }) => code === 403,
    level: 'error',
    message: 'a right is missing; trying again',
    remedy: 'bind the ClusterRole and the Role executor-writer to the ServiceAccount of this pod',
  },
  {
    is: ({ missing }) => missing === 'kind',
    level: 'error',
    message: 'the report CRD is missing; trying again',
    remedy: 'install crds/executorpodstatuses.yaml',
  },
  {
    is: ({ code }) => code === 400 || code === 413 || code === 422,
    level: 'error',
    message: 'the API server refuses a report; trying again',
    remedy: 'update crds/executorpodstatuses.yaml to the version of this writer',
  },
];
