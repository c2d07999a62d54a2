import { expect } from 'chai';
import { ApiStub, json, refuse, type StubHandler } from '../test/api-stub.ts';
import { ManualClock } from '../test/manual-clock.ts';
import { EventRecorder, type EventRecorderOptions } from './event-recorder.ts';
import type { Happening } from './kube-event.ts';

describe('EventRecorder', () => {
  it('tells what happened as one Event beside its object', async () => {
    await using scene = await start();
    scene.recorder.record(failed({ regarding: { ...EXECUTOR, namespace: 'shop' } }));
    await scene.recorder.idle();
    expect(scene.stub.calls).to.deep.equal(['POST /apis/events.k8s.io/v1/namespaces/shop/events']);
    const { metadata, ...event } = scene.sent(0);
    expect(metadata)
      .to.have.property('name')
      .that.matches(/^default\.[0-9a-f]+-[0-9a-f]+$/);
    expect(event).to.deep.equal({
      apiVersion: 'events.k8s.io/v1',
      kind: 'Event',
      eventTime: '2026-08-06T09:49:44.000000Z',
      reportingController: 'status.ratify.sh/status-aggregator',
      reportingInstance: 'aggregator-0',
      type: 'Warning',
      reason: 'BuildFailed',
      action: 'Aggregate',
      note: '1/5 pods fail',
      regarding: { ...EXECUTOR, namespace: 'shop' },
    });
  });

  it('AP-6: puts the Events of a cluster-scoped object into the namespace default', async () => {
    await using scene = await start();
    scene.recorder.record(failed());
    await scene.recorder.idle();
    expect(scene.stub.calls).to.deep.equal(['POST /apis/events.k8s.io/v1/namespaces/default/events']);
  });

  it('AP-6: counts what happens again, and writes the count once in a while', async () => {
    await using scene = await start();
    for (let n = 0; n < 500; n += 1) scene.recorder.record(failed({ note: `${n}/500 pods fail` }));
    await scene.recorder.idle();
    expect(scene.stub.requests).to.have.length(1);
    await scene.clock.advance(300_000);
    scene.recorder.record(failed());
    await scene.recorder.idle();
    expect(scene.stub.requests).to.have.length(2);
    expect(scene.stub.calls[1]).to.equal(`PATCH ${scene.stub.requests[0]?.path}/${scene.nameOf(0)}`);
    expect(scene.stub.requests[1]?.headers['content-type']).to.equal('application/merge-patch+json');
    expect(scene.sent(1)).to.deep.equal({
      series: { count: 501, lastObservedTime: '2026-08-06T09:54:44.000000Z' },
    });
  });

  it('tells another object, reason or type apart', async () => {
    await using scene = await start();
    scene.recorder.record(failed());
    scene.recorder.record(failed({ reason: 'PodsMissing' }));
    scene.recorder.record(failed({ type: 'Normal' }));
    scene.recorder.record(failed({ regarding: { ...EXECUTOR, uid: 'made-anew' } }));
    await scene.recorder.idle();
    expect(scene.stub.requests).to.have.length(4);
  });

  it('makes a new Event when the old one is gone', async () => {
    await using scene = await start();
    scene.recorder.record(failed());
    await scene.recorder.idle();
    await scene.clock.advance(3_600_000);
    scene.answers.push((_request, answer) => refuse(answer, 404, { details: { name: 'gone' } }));
    scene.recorder.record(failed());
    await scene.recorder.idle();
    expect(scene.stub.requests.map(({ method }) => method)).to.deep.equal(['POST', 'PATCH', 'POST']);
  });

  it('tries again while the server is overloaded, and gives up in the end', async () => {
    await using scene = await start();
    scene.answers.push((_request, answer) => refuse(answer, 503));
    scene.recorder.record(failed());
    await scene.through();
    expect(scene.stub.requests).to.have.length(2);
    for (let n = 0; n < 10; n += 1) scene.answers.push((_request, answer) => refuse(answer, 503));
    scene.recorder.record(failed({ reason: 'Other' }));
    await scene.through();
    expect(scene.stub.requests).to.have.length(7);
  });

  it('drops what is refused for good', async () => {
    await using scene = await start();
    scene.answers.push((_request, answer) => refuse(answer, 403));
    scene.recorder.record(failed());
    await scene.recorder.idle();
    expect(scene.stub.requests).to.have.length(1);
  });

  it('drops what is too much at once', async () => {
    await using scene = await start({ maxWaiting: 3 });
    for (let n = 0; n < 10; n += 1) scene.recorder.record(failed({ reason: `Reason${n}` }));
    await scene.recorder.idle();
    expect(scene.stub.requests).to.have.length(3);
  });

  it('WP-10: says no secret, and no more than 1,024 bytes', async () => {
    await using scene = await start();
    scene.recorder.record(failed({ note: `password=s3cret ${'é'.repeat(2000)}` }));
    await scene.recorder.idle();
    const { note = '' } = scene.sent(0);
    expect(note).to.not.contain('s3cret');
    expect(Buffer.byteLength(String(note))).to.be.at.most(1024);
  });

  it('has a proper name, however long that of its object is', async () => {
    await using scene = await start();
    scene.recorder.record(
      failed({ regarding: { ...EXECUTOR, name: `${'a'.repeat(219)}.${'b'.repeat(33)}` } }),
    );
    await scene.recorder.idle();
    expect(scene.nameOf(0)).to.match(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/);
    expect(scene.nameOf(0).length).to.be.at.most(253);
  });
});

const EXECUTOR = { apiVersion: 'config.ratify.sh/v2alpha1', kind: 'Executor', name: 'default', uid: 'u1' };

function failed(more: Partial<Happening> = {}): Happening {
  return {
    regarding: EXECUTOR,
    type: 'Warning',
    reason: 'BuildFailed',
    action: 'Aggregate',
    note: '1/5 pods fail',
    ...more,
  };
}

async function start(options: Partial<EventRecorderOptions> = {}) {
  const stub = await ApiStub.start();
  /** How the next requests are answered, before all is well again. */
  const answers: StubHandler[] = [];
  const well: StubHandler = ({ body }, answer) => json(answer, JSON.parse(body));
  stub.handler = (request, answer) => (answers.shift() ?? well)(request, answer);
  const clock = new ManualClock();
  const client = stub.client();
  const recorder = new EventRecorder({
    client: { create: (...call) => client.create(...call), request: (call) => client.request(call), clock },
    reporter: { controller: 'status.ratify.sh/status-aggregator', instance: 'aggregator-0' },
    random: () => 0.5,
    ...options,
  });
  const sent = (n: number) => JSON.parse(stub.requests[n]?.body ?? '') as Record<string, unknown>;
  return {
    stub,
    answers,
    clock,
    recorder,
    sent,
    nameOf: (n: number) => String((sent(n)['metadata'] as { name?: string }).name),
    /** Lets all pauses pass until everything is sent or dropped. */
    through: async () => {
      let done = false;
      void recorder.idle().then(() => (done = true));
      while (!done) await clock.advance(1000);
    },
    [Symbol.asyncDispose]: () => stub[Symbol.asyncDispose](),
  };
}
