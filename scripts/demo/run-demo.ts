import { fileURLToPath } from 'node:url';
import { NAMESPACE, type Stage, setStage } from '../../test/support/stage.ts';
import { type DemoArguments, parseDemoArguments } from './arguments.ts';
import { DemoFailure, DemoUsageError } from './demo-error.ts';
import { examplesAreToldTruly } from './example-chapter.ts';
import { leaderIsKilled } from './leader-chapter.ts';
import { narrator } from './narrator.ts';
import { type FoundExecutor, readExecutors } from './read-executors.ts';
import { metadataIsEdited, podIsDeleted, type Scene, specIsEdited, statusAppears } from './story.ts';
import { writeSummary } from './summary.ts';

export interface DemoPorts {
  readonly argv: readonly string[];
  readonly print: (text: string) => void;
  readonly printError: (text: string) => void;
  /** Monotonic, in milliseconds. */
  readonly now: () => number;
  /** Resolves when the caller wants the kept cluster to end. */
  readonly untilInterrupted: () => Promise<void>;
}

const EXAMPLES = ['namespaced-executor-good', 'executor-files', 'executor-leaf-certificate'].map((name) =>
  fileURLToPath(new URL(`../../examples/${name}.yaml`, import.meta.url)),
);

/**
 * Runs the whole demo.
 *
 * @returns the exit code: 0 when every step came out as it must, 1 when one did not, 2 for bad input.
 */
export async function runDemo(ports: DemoPorts): Promise<number> {
  try {
    const wanted = parseDemoArguments(ports.argv);
    const found = await readExecutors(wanted.files.length > 0 ? wanted.files : EXAMPLES);
    await play(ports, wanted, found);
    return 0;
  } catch (error) {
    if (error instanceof DemoUsageError) {
      ports.printError(`demo: ${error.message}\n`);
      return 2;
    }
    const text = error instanceof DemoFailure ? error.message : error instanceof Error ? error.stack : error;
    ports.printError(`\ndemo: failed: ${String(text)}\n`);
    return 1;
  }
}

async function play(ports: DemoPorts, wanted: DemoArguments, found: readonly FoundExecutor[]): Promise<void> {
  const exampleFiles = wanted.files.length === 0;
  const log = (line: string) => ports.print(`${line}\n`);
  const started = ports.now();
  await using stage = await setStage({ pods: wanted.pods, exampleFiles, log });
  const { kubectl, version } = stage.controlPlane;
  const tell = narrator({ ...ports, kubectl });
  const seconds = ((ports.now() - started) / 1000).toFixed(1);
  tell.say(
    `Kubernetes ${version} runs; ${wanted.pods} Ratify pods and two aggregators have started (${seconds} s).`,
  );
  const scene: Scene = { stage, narrator: tell, found };
  await tellStory(scene, exampleFiles);
  tell.chapter('What it cost: writes by the audit log of the API server');
  ports.print(await writeSummary(stage.controlPlane));
  tell.say('\nEvery step came out as it must.');
  if (wanted.keep) await keep(ports, stage);
}

async function tellStory(scene: Scene, exampleFiles: boolean): Promise<void> {
  const edited = (scene.found.find(({ executor }) => executor.metadata.name === 'default') ?? scene.found[0])
    ?.executor;
  const [last] = scene.stage.writers.slice(-1);
  if (edited === undefined || last === undefined) throw new Error('the story needs an executor and a pod');
  await statusAppears(scene);
  if (exampleFiles) await examplesAreToldTruly(scene);
  await specIsEdited(scene, edited);
  await metadataIsEdited(scene, edited);
  const without = await podIsDeleted(scene, last);
  await leaderIsKilled(without, edited);
}

async function keep({ print, untilInterrupted }: DemoPorts, { controlPlane }: Stage): Promise<void> {
  print(`
The cluster goes on until you press Ctrl-C. In another terminal:

  export KUBECONFIG=${controlPlane.kubeconfig}
  kubectl get executors,namespacedexecutors --all-namespaces
  kubectl get exps --namespace=${NAMESPACE} --output=wide
`);
  await untilInterrupted();
}
