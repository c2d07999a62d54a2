import { BuildNotes } from './build/build-notes.ts';
import { buildSpec } from './build/build-spec.ts';
import type { Environment } from './environment.ts';
import { Fault } from './faults/fault.ts';
import type { Member, Outcome } from './member.ts';
import { type FailedOutcome, outcomeOfError, outcomeOfFault, outcomeOfTimeOut } from './outcome-of-fault.ts';
import { decodeSpec, type StoredSpec } from './spec/decode-spec.ts';

/** How long one build may take unless the environment says otherwise, in milliseconds. */
const DEFAULT_DEADLINE_MS = 60_000;

/** A build that did not end in time, or was called off. */
class BuildEndedEarly extends Error {
  override readonly name = 'BuildEndedEarly';
}

/**
 * Judges one member: whether Ratify would build it with what `environment` shows, and if not, why.
 *
 * Never throws and never outlasts the deadline: what still runs then is told so by its signal and no longer waited for.
 */
export async function buildExecutor(member: Member, environment: Environment): Promise<Outcome> {
  const notes = new BuildNotes();
  const failure = await judge(member, { environment, notes });
  const { material, materialDigest, files } = notes;
  const noted = { material, ...(materialDigest === undefined ? {} : { materialDigest }), files };
  if (failure !== undefined) return { ...failure, ...noted, warnings: [] };
  return {
    succeeded: true,
    reason: 'Built',
    blocksSet: false,
    retryable: false,
    ...noted,
    warnings: notes.warnings,
  };
}

interface Build {
  readonly environment: Environment;
  readonly notes: BuildNotes;
}

type Failure = FailedOutcome & { readonly blocksSet: boolean };

async function judge(member: Member, build: Build): Promise<Failure | undefined> {
  let spec: StoredSpec;
  try {
    spec = decodeSpec(member.spec);
  } catch (error) {
    return { ...failed(error), blocksSet: false };
  }
  try {
    await withDeadline(build.environment, (signal) => buildSpec(spec, { ...build, signal }));
    return undefined;
  } catch (error) {
    if (error instanceof BuildEndedEarly) {
      return { ...outcomeOfTimeOut(error.message, build.notes.waiting), blocksSet: true };
    }
    return { ...failed(error), blocksSet: true };
  }
}

function failed(error: unknown): FailedOutcome {
  return error instanceof Fault ? outcomeOfFault(error) : outcomeOfError(error, 'BuildFailed');
}

async function withDeadline(
  environment: Environment,
  run: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const deadlineMs = environment.deadlineMs ?? DEFAULT_DEADLINE_MS;
  const ending = new AbortController();
  const { promise: ended, reject } = Promise.withResolvers<never>();
  const end = (why: string) => {
    const error = new BuildEndedEarly(why);
    reject(error);
    ending.abort(error);
  };
  const timer = setTimeout(end, deadlineMs, `the build did not end within ${deadlineMs} ms`);
  const callOff = () => end('the build was called off');
  environment.signal?.addEventListener('abort', callOff, { once: true });
  try {
    if (environment.signal?.aborted === true) callOff();
    await Promise.race([run(ending.signal), ended]);
  } finally {
    clearTimeout(timer);
    environment.signal?.removeEventListener('abort', callOff);
    // Nobody may wait for it any more.
    ended.catch(() => undefined);
  }
}
