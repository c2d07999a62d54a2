// The load generator, a process of its own: takes one job as a line of JSON, answers with one line, until its input ends.
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { seededRandom } from '../support/seeded-random.ts';
import { eachInFlight, Http2Client } from './http2-client.ts';
import type { LoadJob, LoadPod, LoadResult } from './load-job.ts';
import { podRequest, podStatusRequest, reportRequest, statusRequest, tokenRequest } from './load-requests.ts';
import { readAccess } from './read-access.ts';
import { SentRequests } from './sent-requests.ts';

const IN_FLIGHT = 64;

const [kubeconfig = ''] = process.argv.slice(2);
const client = new Http2Client(readAccess(await readFile(kubeconfig, 'utf8')));
let pods: readonly LoadPod[] = [];
for await (const line of createInterface(process.stdin)) {
  const result = await run(JSON.parse(line) as LoadJob);
  process.stdout.write(`${JSON.stringify(result)}\n`);
}
client.close();

async function run(job: LoadJob): Promise<LoadResult> {
  const startedAt = Date.now();
  const sent = new SentRequests(client);
  const made = await perform(job, sent);
  const { requests, failures } = sent;
  return { requests, failures, startedAt, endedAt: Date.now(), ...(made && { pods: made }) };
}

async function perform(job: LoadJob, sent: SentRequests): Promise<readonly LoadPod[] | undefined> {
  switch (job.kind) {
    case 'pods':
      pods = await makePods(job, sent);
      return undefined;
    case 'tokens':
      pods = await withTokens(sent);
      return pods;
    case 'create': {
      const said = { failing: job.errorBytes !== undefined, errorBytes: job.errorBytes ?? 0 };
      await eachInFlight(shuffledPairs(pods, job), IN_FLIGHT, async ([pod, target]) => {
        await sent.send(reportRequest(pod, target));
        await sent.send(statusRequest(pod, target, said));
      });
      return undefined;
    }
    case 'update': {
      const said = { failing: job.failing === true, errorBytes: 0 };
      await eachInFlight(shuffledPairs(pods.slice(0, job.pods), job), IN_FLIGHT, async ([pod, target]) => {
        await sent.send(statusRequest(pod, target, said));
      });
    }
  }
  return undefined;
}

async function makePods(
  { namespace, count, labels, serviceAccount }: Extract<LoadJob, { kind: 'pods' }>,
  sent: SentRequests,
): Promise<readonly LoadPod[]> {
  const made: LoadPod[] = [];
  const numbers = Array.from({ length: count }, (_, index) => index);
  await eachInFlight(numbers, IN_FLIGHT, async (number) => {
    const name = `ratify-gatekeeper-provider-7d9f8c5b6d-${number.toString(36).padStart(5, '0')}`;
    const pod = { namespace, name, nodeName: `node-${number % 500}`, serviceAccount };
    const answer = await sent.send(podRequest(pod, labels));
    const { metadata } = JSON.parse(answer) as { readonly metadata: { readonly uid: string } };
    const known = { ...pod, uid: metadata.uid };
    await sent.send(podStatusRequest(known));
    made[number] = known;
  });
  return made;
}

async function withTokens(sent: SentRequests): Promise<readonly LoadPod[]> {
  const tokens = new Map<string, string>();
  await eachInFlight(pods, IN_FLIGHT, async (pod) => {
    const answer = JSON.parse(await sent.send(tokenRequest(pod))) as { readonly status: { token: string } };
    tokens.set(pod.uid, answer.status.token);
  });
  return pods.map((pod) => ({ ...pod, token: tokens.get(pod.uid) ?? '' }));
}

/** All pairs of a pod and a target in an order that only the seed decides. */
function shuffledPairs(
  of: readonly LoadPod[],
  { targets, seed }: Extract<LoadJob, { seed: number }>,
): (readonly [LoadPod, Extract<LoadJob, { seed: number }>['targets'][number]])[] {
  const pairs = of.flatMap((pod) => targets.map((target) => [pod, target] as const));
  const random = seededRandom(seed);
  for (let last = pairs.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1));
    const [a, b] = [pairs[last], pairs[other]];
    if (a !== undefined && b !== undefined) [pairs[last], pairs[other]] = [b, a];
  }
  return pairs;
}
