import { expect } from 'chai';
import { APPLY_PATCH } from '../support/control-plane.ts';
import { useControlPlane } from '../support/shared-control-plane.ts';
import { AggregatorStage } from './aggregator-stage.ts';
import { refOf } from './executor-manifest.ts';
import { reportsPath } from './post-report.ts';

/** As quick as it can be, so that many writes take little time. */
const AT_ONCE = [
  '--look=0ms',
  '--transition=10ms',
  '--progress=10ms',
  '--max-progress=10ms',
  '--success-hold=0s',
  '--writes-per-second=1000',
  '--write-burst=10000',
];
/** A thousand take a minute on a busy machine. */
const WRITES = Number(process.env['J7_WRITES'] ?? 200);

/** How often the report changes before the status is looked at, and to what, in turn; without an error in the end. */
const CHANGES = 20;
const TEXTS = ['no key', null, 'no file', null];

describe('a status-aggregator beside another manager of the same status', function () {
  this.timeout(60_000 + 200 * WRITES);
  const controlPlane = useControlPlane();

  it(`J7: keeps the condition of the other through ${WRITES} writes, and its own through those of the other`, async () => {
    await using stage = await AggregatorStage.install(controlPlane());
    const { admin } = controlPlane();
    const ref = refOf('shared-with-others');
    const pod = await stage.makePod({ name: 'ratify-1' });
    await stage.apply(ref);
    const { metadata, status: built } = await stage.report(pod, ref);
    const path = `${reportsPath(stage.namespace)}/${metadata.name}/status`;
    /** One request for each change: there are many. */
    const say = (error: string | null) => {
      const [succeeded, reason] = error === null ? [true, 'Built'] : [false, 'BuildFailed'];
      return admin.call(`PATCH ${path}`, {
        status: { ...built, succeeded, reason, error, briefError: error },
      });
    };
    await stage.start(...AT_ONCE);
    await stage.ready(ref, 'True/BuildsInAllPods');
    let others = 0;
    const otherWrites = () =>
      admin.call(
        `PATCH ${stage.path(ref)}/status`,
        {
          apiVersion: `${stage.group}/v2alpha1`,
          kind: ref.kind,
          metadata: { name: ref.name },
          status: {
            conditions: [
              {
                type: 'example.com/Seen',
                status: 'True',
                reason: 'Seen',
                message: `for the ${++others}th time`,
                lastTransitionTime: '2026-01-01T00:00:00Z',
              },
            ],
          },
        },
        { contentType: APPLY_PATCH, query: { fieldManager: 'other', force: true } },
      );
    const since = await controlPlane().audit.mark();
    const written = async () => (await stage.writes({ since, name: ref.name, code: 200 })).length;
    while ((await written()) < WRITES) {
      await otherWrites();
      for (let change = 0; change < CHANGES; change++) await say(TEXTS[change % TEXTS.length] ?? null);
      const { status } = await stage.executor(ref);
      const types = status?.conditions?.map(({ type }) => type);
      expect(types).to.include.members(['Ready', 'example.com/Seen']);
    }
    const last = await stage.ready(ref, 'True/BuildsInAllPods');
    const seen = last.conditions?.find(({ type }) => type === 'example.com/Seen');
    expect(seen?.message).to.equal(`for the ${others}th time`);
  });
});
