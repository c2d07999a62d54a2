import { existsSync } from 'node:fs';
import { type ControlPlane, startControlPlane } from './control-plane.ts';
import { PROJECT_CRDS, PROJECT_PLURALS } from './project-crds.ts';

/** The first run on a machine may have to build Kubernetes; every later one takes seconds. */
const START_MS = 20 * 60_000;

/** Whose objects the garbage collector shall know from its start. */

let shared: Promise<ControlPlane> | undefined;

/**
 * Gives the suites of one mocha run one control plane, with our CRDs, started when the first of them begins
 * and stopped after the last. Call it inside `describe`; each suite makes its own namespaces, and one that
 * stops components or counts cluster-wide starts a control plane of its own.
 *
 * @returns a function that gives the control plane, from the first hook or test on.
 */
export function useControlPlane(): () => ControlPlane {
  let controlPlane: ControlPlane | undefined;
  before('start the shared control plane', async function () {
    this.timeout(START_MS);
    shared ??= startControlPlane({ manifests: PROJECT_CRDS.filter((file) => existsSync(file)), log: print });
    controlPlane = await shared;
    // What an earlier suite left behind would be built, reported and found in this one too.
    const { code, stderr } = await controlPlane.kubectl(
      'delete',
      PROJECT_PLURALS.join(','),
      '--all',
      '--all-namespaces',
    );
    if (code !== 0) throw new Error(`the shared control plane could not be swept: ${stderr}`);
  });
  return () => {
    if (controlPlane === undefined)
      throw new Error('the control plane is there from the first hook or test on');
    return controlPlane;
  };
}

const print = (line: string) => process.stderr.write(`    ${line}\n`);

// At the root, when the first suite imports this file: after all suites of all files.
after('stop the shared control plane', async function () {
  this.timeout(60_000);
  await shared?.then(
    (controlPlane) => controlPlane.stop(),
    () => undefined, // Its suites have failed with the reason; nothing is left to stop.
  );
});
