import {
  createKubeClient,
  type KubeClient,
  kubeconfigCredentials,
  LEASE,
  type LeaderElection,
  type LeaderState,
  leaderElection,
} from '@executor-status/kube';
import { expect } from 'chai';
import type { Subscription } from 'rxjs';
import { useControlPlane } from '../../support/shared-control-plane.ts';
import { waitUntil } from '../../support/wait-until.ts';

describe('two candidates for one Lease of the real API server', function () {
  this.timeout(60_000);
  const controlPlane = useControlPlane();
  const TIMES = { leaseDurationMs: 2000, renewDeadlineMs: 1500, retryPeriodMs: 200 };

  interface Candidate {
    readonly identity: string;
    readonly election: LeaderElection;
    readonly states: LeaderState[];
    readonly subscription: Subscription;
  }
  let namespace: string;
  let client: KubeClient;
  let candidates: Candidate[];
  let watching: NodeJS.Timeout;
  let most: number;

  const start = (identity: string): Candidate => {
    const election = leaderElection({
      client,
      namespace,
      name: 'leader',
      identity,
      random: Math.random,
      ...TIMES,
    });
    const states: LeaderState[] = [];
    const candidate = {
      identity,
      election,
      states,
      subscription: election.states.subscribe((state) => states.push(state)),
    };
    candidates.push(candidate);
    return candidate;
  };
  const leaders = () => candidates.filter(({ election }) => election.isLeader());
  const leader = () => waitUntil(() => leaders()[0], { what: 'a leader' });

  beforeEach(async () => {
    namespace = await controlPlane().createNamespace();
    const credentials = await kubeconfigCredentials({ path: controlPlane().kubeconfig, env: {} });
    client = createKubeClient({ credentials, userAgent: 'candidate/1' });
    candidates = [];
    most = 0;
    watching = setInterval(() => (most = Math.max(most, leaders().length)), 5);
    start('one');
    start('two');
  });
  afterEach(async () => {
    clearInterval(watching);
    for (const { subscription } of candidates) subscription.unsubscribe();
    await client.close();
    expect(most).to.equal(1);
  });

  it('HA-1, B23: elect one, by a Lease whose times the API server takes', async () => {
    const { identity } = await leader();
    const lease = await client.get<{ spec: Record<string, unknown> }>(LEASE, { namespace, name: 'leader' });
    expect(lease?.spec).to.include({
      holderIdentity: identity,
      leaseDurationSeconds: 2,
      leaseTransitions: 0,
    });
    for (const time of ['acquireTime', 'renewTime']) {
      expect(lease?.spec[time]).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
    }
    await waitUntil(() => candidates.every(({ election }) => election.holder() === identity), {
      what: 'both to know',
    });
  });

  it('HA-1: write the Lease only as the one that holds it', async () => {
    const { audit } = controlPlane();
    await leader();
    const since = await audit.mark();
    await waitUntil(
      () => audit.count({ since, resource: 'leases', namespace, verb: 'update' }).then((n) => n >= 5),
      {
        what: 'five renewals',
      },
    );
    expect(await audit.count({ since, resource: 'leases', namespace, code: [400, 403, 409, 422] })).to.equal(
      0,
    );
    expect(await audit.count({ since, resource: 'leases', namespace, verb: 'create' })).to.equal(0);
  });

  it('HA-3: hand it over at once when the leader releases it', async () => {
    const first = await leader();
    await first.election.release();
    expect(first.election.isLeader()).to.equal(false);
    const second = await leader();
    expect(second.identity).to.not.equal(first.identity);
    expect(first.states).to.deep.equal(['follower', 'leader']);
  });

  it('HA-3: take it over when the leader has gone without a word', async () => {
    const first = await leader();
    first.subscription.unsubscribe();
    const second = await waitUntil(() => leaders().find(({ identity }) => identity !== first.identity), {
      what: 'the other one',
    });
    const lease = await client.get<{ spec: Record<string, unknown> }>(LEASE, { namespace, name: 'leader' });
    expect(lease?.spec).to.include({ holderIdentity: second.identity, leaseTransitions: 1 });
  });
});
