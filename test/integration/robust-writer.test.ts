import { readFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import type { AppProcess } from '../support/app-process.ts';
import type { AuditEntry, AuditMark, Pod } from '../support/control-plane.ts';
import { type Fault, type FaultProxy, proxyFor } from '../support/fault-proxy.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { useControlPlane } from '../support/shared-control-plane.ts';
import { waitUntil } from '../support/wait-until.ts';
import { type ExecutorFields, refOf } from './executor-manifest.ts';
import { WriterFleet } from './writer-fleet.ts';
import { metric, probe } from './writer-probes.ts';

/** How often a scenario runs whose line asks for 1,000 runs; the suite does a few. */
const RUNS = Number(process.env['ROBUST_RUNS'] ?? 10);

const STATUS_WRITES = { verb: 'patch', resource: 'executorpodstatuses', subresource: 'status' };
const WATCHES = { verb: 'watch', resource: 'namespacedexecutors' };

describe('an executor-writer over a hostile network', function () {
  this.timeout(90_000);
  const controlPlane = useControlPlane();
  let proxy: FaultProxy;
  let fleet: WriterFleet;
  let pod: Pod;
  let writer: AppProcess;
  /** Where the writer's token is. */
  let credentials: string;
  let folder: string;
  let badFolder: string;

  before(async () => {
    const proxied = await proxyFor(controlPlane());
    proxy = proxied.proxy;
    const inClusterDirectory = async (token: string) => {
      credentials = await proxied.controlPlane.inClusterDirectory(token);
      return credentials;
    };
    fleet = await WriterFleet.install({ ...proxied.controlPlane, inClusterDirectory });
    [folder, badFolder] = [await fleet.folder(), await fleet.folder()];
    await writeFile(join(badFolder, 'broken.crt'), 'no certificate');
    pod = await fleet.makePod();
    writer = await fleet.start(pod, { flags: FLAGS });
    await fleet.apply(ref('known'));
    await fleet.reported(pod, ref('known'));
  });
  afterEach(() => proxy.heal());
  after(async () => {
    await fleet[Symbol.asyncDispose]();
    await proxy[Symbol.asyncDispose]();
  });

  const ref = (name: string) => refOf(name, fleet.namespace);
  const apply = async (name: string, fields: ExecutorFields = {}) => {
    const { metadata } = await fleet.apply(ref(name), fields);
    return metadata.generation ?? 0;
  };
  const reportedGeneration = (name: string, generation: number) =>
    fleet.reported(pod, ref(name), ({ status }) => status?.executorGeneration === generation);
  /** Status writes about an executor that the API server stored, in its order. */
  const stored = async (name: string, since: AuditMark) => {
    const writes = await fleet.writes({ since, subresource: 'status', code: 200 });
    return writes.filter((write) => write.name.endsWith(`-${name.replaceAll('-', '--')}`)).map(said);
  };
  const mark = () => controlPlane().audit.mark();
  const linesAt = (...levels: readonly unknown[]) =>
    writer.logs().filter(({ level }) => levels.includes(level));

  it('lands its verdict after twenty conflicts, without a word above debug (WP-3, PR3, P1)', async () => {
    const before = linesAt('warn', 'error').length;
    const failures = await metric(writer, 'executor_status_write_failures_total');
    const builds = await fleet.builds(pod);
    const rule = proxy.fault({ kind: 'answer', code: 409, match: STATUS_WRITES, times: 20 });
    const generation = await apply('known', { scope: 'conflicts.example' });
    await waitUntil(() => rule.hits === 20, { what: 'twenty conflicts', deadlineMs: 40_000 });
    await reportedGeneration('known', generation);
    expect(await metric(writer, 'executor_status_write_failures_total')).to.equal(failures + 20);
    expect((await fleet.builds(pod)) - builds).to.equal(1);
    expect(linesAt('warn', 'error')).to.have.length(before);
  });

  it('stores the newest verdict after an outage, and none of those before (WP-4, J14)', async () => {
    const folder = await fleet.folder();
    await apply('files', { files: [folder] });
    await fleet.reported(pod, ref('files'), ({ status }) => status?.succeeded === true);
    const [since, builds] = [await mark(), await fleet.builds(pod)];
    const built = (count: number) =>
      waitUntil(async () => (await fleet.builds(pod)) === builds + count, { what: `build ${count}` });
    await proxy.network('refused');
    await writeFile(join(folder, 'certificate.crt'), 'no certificate');
    await built(1);
    await rm(join(folder, 'certificate.crt'));
    await built(2);
    await writeFile(join(folder, 'certificate.crt'), CERTIFICATE);
    await built(3);
    expect((await probe(writer, '/livez')).status).to.equal(200);
    await proxy.heal();
    await fleet.reported(pod, ref('files'), ({ status }) => status?.material?.length === 1);
    expect(await stored('files', since)).to.have.length(1);
    expect(await fleet.builds(pod)).to.equal(builds + 3, 'a failed write is repeated as a write');
  });

  it('reports the newer of two generations that came at once, and never the older one after it (B06)', async () => {
    const known = linesAt('error').length;
    for (let run = 0; run < RUNS; run++) {
      const since = await mark();
      proxy.fault({ kind: 'answer', code: 409, match: STATUS_WRITES, times: run % 3 });
      proxy.fault({ kind: 'lose', match: STATUS_WRITES, times: 1 });
      await apply('quick', { scope: `first-${run}.example` });
      const newest = await apply('quick', { scope: `second-${run}.example` });
      await reportedGeneration('quick', newest);
      expect(isOrdered((await stored('quick', since)).map(({ generation }) => generation))).to.equal(true);
    }
    expect(linesAt('error')).to.have.length(known);
  });

  it('reports anew about an executor that was made anew while its watch was away (RP-7, ID-5)', async () => {
    await apply('again');
    for (let run = 0; run < RUNS / 2; run++) {
      const blocked = proxy.fault({ kind: 'answer', code: 503, match: WATCHES });
      proxy.strike(WATCHES, { kind: 'cut' });
      await fleet.remove(ref('again'));
      const { metadata } = await fleet.apply(ref('again'));
      // Half of the gaps end with a list that shows only the new one.
      if (run % 2 === 1) proxy.fault({ kind: 'answer', code: 410, match: WATCHES, times: 1 });
      blocked.remove();
      await fleet.reported(pod, ref('again'), ({ status }) => status?.executorUID === metadata.uid);
    }
  });

  it('never loses an edit made during a build or a write, nor says of one generation what is true of another (FB-3, J3)', async () => {
    const random = seededRandom(SEED);
    const right = new Map<number, boolean>();
    const since = await mark();
    proxy.plan = (request, count) =>
      request.resource === 'executorpodstatuses'
        ? { kind: 'delay', ms: Math.floor(60 * seededRandom(SEED + count)()) }
        : undefined;
    for (let run = 0; run < RUNS; run++) {
      const edits = 1 + Math.floor(random() * 3);
      let newest = 0;
      for (let edit = 0; edit < edits; edit++) {
        const good = random() < 0.5;
        newest = await apply('raced', {
          scope: `run-${run}-${edit}.example`,
          files: [good ? folder : badFolder],
        });
        right.set(newest, good);
        // At a random moment of the build or the write of the generation before.
        await sleep(random() * 80);
      }
      const { status } = await reportedGeneration('raced', newest);
      expect(status?.succeeded, `run ${run}, seed ${SEED}`).to.equal(right.get(newest));
    }
    const writes = await stored('raced', since);
    expect(isOrdered(writes.map(({ generation }) => generation)), `seed ${SEED}`).to.equal(true);
    for (const { generation, succeeded } of writes) {
      expect(succeeded, `generation ${generation}, seed ${SEED}`).to.equal(right.get(generation));
    }
  });

  it('stores the verdict of a generation that was edited while it was being written, and then that of the next (J3)', async () => {
    const since = await mark();
    const rule = proxy.fault({ kind: 'delay', ms: 800, match: STATUS_WRITES, times: 1 });
    const older = await apply('during', { scope: 'older.example' });
    await waitUntil(() => rule.hits === 1, { what: 'the write of the older generation' });
    const newer = await apply('during', { scope: 'newer.example' });
    await reportedGeneration('during', newer);
    expect((await stored('during', since)).map(({ generation }) => generation)).to.deep.equal([older, newer]);
  });

  it('ends with the last of verdicts that flip quickly, whatever happens to their writes (B25, FB-2)', async () => {
    const flips = await fleet.folder();
    const flip = join(flips, 'flip.crt');
    await apply('flips', { files: [flips] });
    await fleet.reported(pod, ref('flips'), ({ status }) => status?.succeeded === true);
    for (let run = 0; run < RUNS; run++) {
      const builds = await fleet.builds(pod);
      proxy.fault({ ...(UNSURE[run % UNSURE.length] ?? UNSURE[0]), match: STATUS_WRITES, times: 2 });
      await writeFile(flip, 'no certificate');
      await waitUntil(async () => (await fleet.builds(pod)) > builds, { what: 'the bad build', everyMs: 5 });
      await rm(flip);
      await waitUntil(async () => (await fleet.builds(pod)) > builds + 1, {
        what: 'the good build',
        everyMs: 5,
      });
      await proxy.heal();
      await settled();
      const { status } = await fleet.reported(pod, ref('flips'), ({ status }) => status?.succeeded === true);
      expect(status?.succeeded).to.equal(true);
    }
  });

  /** Waits until an edit that comes after everything else has been reported: the queue is empty then. */
  async function settled(): Promise<void> {
    await reportedGeneration('known', await apply('known', { scope: `fence-${performance.now()}.example` }));
  }

  it('is not disturbed by edits of the metadata of its reports, and builds nothing for them (J1, J2)', async () => {
    let generation = await apply('edited', { scope: 'edit-0.example' });
    await reportedGeneration('edited', generation);
    const [since, builds] = [await mark(), await fleet.builds(pod)];
    let over = false;
    const storm = async (path: string) => {
      for (let at = 0; !over; at++) {
        const metadata = { labels: { noise: String(at) }, annotations: { noise: String(at) } };
        await controlPlane().admin.call(`PATCH ${path}`, { metadata });
      }
    };
    const storms = [fleet.reportPath(pod, ref('edited')), fleet.path(ref('edited'))].map(storm);
    for (let edit = 1; edit <= 10; edit++) {
      generation = await apply('edited', { scope: `edit-${edit}.example` });
      await reportedGeneration('edited', generation);
    }
    over = true;
    await Promise.all(storms);
    expect((await fleet.builds(pod)) - builds).to.equal(10);
    const writes = await fleet.writes({ since, subresource: 'status' });
    expect(writes.map(({ code }) => code)).to.deep.equal(Array.from({ length: 10 }, () => 200));
    expect(writes.some(({ body }) => JSON.stringify(body).includes('resourceVersion'))).to.equal(false);
  });

  it('gives a write up that nobody answers, and lands it over another connection (B16)', async () => {
    for (const kind of ['drop', 'stall'] as const) {
      const rule = proxy.fault({ kind, match: STATUS_WRITES, times: 1 });
      const generation = await apply('known', { scope: `${kind}.example` });
      await waitUntil(() => rule.hits === 1, { what: 'the write' });
      await reportedGeneration('known', generation);
    }
  });

  it('goes on with a rotated token, and with another CA (RP-9, B21)', async () => {
    const rule = proxy.fault({ kind: 'answer', code: 401, match: { client: pod.name, token: tokenInUse() } });
    const generation = await apply('known', { scope: 'rotated.example' });
    await waitUntil(() => rule.hits > 0, { what: 'a refused request' });
    await writeFile(join(credentials, 'token'), await controlPlane().podToken(pod, 600));
    await reportedGeneration('known', generation);
    proxy.rotate();
    proxy.resetAll();
    const later = await apply('known', { scope: 'another-ca.example' });
    await writeFile(join(credentials, 'ca.crt'), proxy.ca);
    await reportedGeneration('known', later);
  });

  const tokenInUse = () => proxy.seen({ client: pod.name }).at(-1)?.request.token ?? '';

  it('watches metadata only, and a status write of an executor costs it at most 4 KiB (RP-8)', async () => {
    await apply('watched');
    await fleet.reported(pod, ref('watched'));
    await freshWatch();
    const before = bytesWatched();
    const path = `${fleet.path(ref('watched'))}/status?fieldManager=status-aggregator&force=true`;
    const contentType = 'application/apply-patch+yaml';
    for (let write = 0; write < WRITES; write++) {
      const status = { succeeded: true, byPod: entries(write) };
      const body = { apiVersion: 'config.ratify.sh/v2alpha1', kind: 'NamespacedExecutor', status };
      await controlPlane().admin.call(`PATCH ${path}`, body, { contentType });
    }
    await settled();
    await freshWatch();
    expect((bytesWatched() - before) / WRITES).to.be.within(100, 4_096);
    const watches = proxy.seen({ verb: 'watch', client: pod.name });
    expect(watches.every(({ request }) => request.metadataOnly)).to.equal(true);
    expect(watches.map(({ request }) => request.resource)).to.not.include('executorpodstatuses');
  });

  /** Ends the watch, so that its bytes are counted, and waits for the next. */
  async function freshWatch(): Promise<void> {
    const before = proxy.seen(WATCHES).length;
    proxy.strike(WATCHES, { kind: 'end' });
    await waitUntil(() => proxy.seen(WATCHES).length > before, { what: 'the next watch' });
  }
  const bytesWatched = () => proxy.stats().bytes['watch namespacedexecutors'] ?? 0;

  const outages: Record<string, Fault> = {
    'a right that is taken away (403)': { kind: 'answer', code: 403 },
    'an API server that is overloaded (429)': { kind: 'answer', code: 429, retryAfterSeconds: 1 },
    'errors of the API server (500)': { kind: 'answer', code: 500 },
    'pages of a load balancer (503)': { kind: 'answer', code: 503, form: 'html' },
    'tokens that are refused (401)': { kind: 'answer', code: 401 },
    'streams that are cut': { kind: 'cut' },
    'answers that are lost': { kind: 'lose' },
  };
  for (const [name, fault] of Object.entries(outages)) {
    it(`lives through ${name}, and is right afterwards (WP-13, RP-3)`, async () => {
      const rule = proxy.fault(fault);
      proxy.strike(WATCHES, { kind: 'reset' });
      const generation = await apply('known', { scope: `outage-${fault.kind}-${performance.now()}.example` });
      await waitUntil(() => rule.hits >= 5, { what: 'several tries', deadlineMs: 40_000 });
      expect((await probe(writer, '/livez')).status).to.equal(200);
      await proxy.heal();
      await reportedGeneration('known', generation);
      expect(watchesAtOnce()).to.equal(1);
    });
  }
  const watchesAtOnce = () => proxy.stats().mostWatches[`${pod.name} namespacedexecutors`];

  it('repairs reports that were edited or deleted by hand, although the look at them fails at first (RP-10)', async () => {
    const looked = { verb: 'get', resource: 'executorpodstatuses' };
    const path = fleet.reportPath(pod, ref('known'));
    const right = (await fleet.report(pod, ref('known')))?.status;
    for (const drift of [
      () =>
        controlPlane().admin.call(`PATCH ${path}/status`, {
          status: { succeeded: false, reason: 'BuildFailed' },
        }),
      () => controlPlane().admin.call(`DELETE ${path}`),
    ]) {
      const rule = proxy.fault({ kind: 'answer', code: 503, match: looked, times: 2 });
      await drift();
      await waitUntil(() => rule.hits === 2, { what: 'two looks that failed' });
      const repaired = await fleet.reported(pod, ref('known'), ({ status }) => status?.succeeded === true);
      expect(repaired.status).to.deep.equal(right);
    }
  });

  it('has one object about an executor whose creation was cut or whose answer was lost (B20, WP-5)', async () => {
    const creations = { verb: 'patch', resource: 'executorpodstatuses', subresource: '' };
    for (const { kind, times } of [{ kind: 'cut', times: 2 } as const, { kind: 'lose', times: 1 } as const]) {
      const rule = proxy.fault({ kind, match: creations, times });
      await apply(`created-${kind}`);
      const { status } = await fleet.reported(pod, ref(`created-${kind}`));
      expect(status?.succeeded).to.equal(true);
      expect(rule.hits).to.equal(times);
    }
  });

  it('takes the name of its predecessor although deletion and creation go wrong at first (B29)', async () => {
    const name = 'ratify-0';
    const first = await fleet.makePod({ name });
    await fleet.start(first, { flags: FLAGS });
    const old = await fleet.reported(first, ref('known'));
    await fleet.writer(first).stop();
    await controlPlane().removePod(first);
    const second = await fleet.makePod({ name });
    const reports = { resource: 'executorpodstatuses', client: name };
    proxy.fault({ kind: 'lose', match: { ...reports, verb: 'delete' }, times: 1 });
    proxy.fault({
      kind: 'answer',
      code: 409,
      match: { ...reports, verb: 'patch', subresource: '' },
      times: 1,
    });
    proxy.fault({ kind: 'lose', match: { ...reports, verb: 'patch', subresource: '' }, times: 1 });
    const successor = await fleet.start(second, { flags: FLAGS });
    const fresh = await fleet.reported(second, ref('known'), ({ spec, status }) => {
      return spec.pod.uid === second.uid && status !== undefined;
    });
    expect(fresh.metadata.uid).to.not.equal(old.metadata.uid);
    expect(fresh.metadata.ownerReferences?.map(({ uid }) => uid)).to.deep.equal([second.uid]);
    await successor.stop();
  });

  it('has never met an error that nobody handled, and stops cleanly', async () => {
    expect(writer.logs().filter(({ msg }) => msg === 'nobody handled an error')).to.deep.equal([]);
    expect(await metric(writer, 'executor_status_unhandled_errors_total')).to.equal(0);
    expect(await writer.stop()).to.deep.equal({ code: 0, signal: null });
  });
});

const SEED = Number(process.env['ROBUST_SEED'] ?? 1);

const FLAGS = ['--call-timeout=2s', '--file-poll=50ms', '--resync=2s'];

/** Faults after which a client cannot know whether its write was done. */
const UNSURE: readonly [Fault, ...Fault[]] = [
  { kind: 'lose' },
  { kind: 'cut' },
  { kind: 'delay', ms: 300 },
  { kind: 'reset' },
];

const CERTIFICATE = readFileSync(new URL('../../examples/certs/example-root.pem', import.meta.url));

const WRITES = 20;

/** What 100 pods look like in a status; another one at each write. */
const entries = (write: number) =>
  Array.from({ length: 100 }, (_, at) => ({
    id: `ratify-7d9f8c5b6d-${at}`,
    observedGeneration: write + 1,
    succeeded: false,
    error: `attempt ${write} of pod ${at} cannot reach the key vault`.padEnd(200, '.'),
  }));

function said({ body }: AuditEntry): { readonly generation: number; readonly succeeded: boolean } {
  const { status } = body as { status: { executorGeneration: number; succeeded: boolean } };
  return { generation: status.executorGeneration, succeeded: status.succeeded };
}

const isOrdered = (numbers: readonly number[]) =>
  numbers.every((one, at) => at === 0 || one >= (numbers[at - 1] ?? 0));
