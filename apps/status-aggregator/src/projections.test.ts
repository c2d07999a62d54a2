import type { Executor, ExecutorPodStatus } from '@executor-status/api';
import type { KubeObject } from '@executor-status/controller';
import { expect } from 'chai';
import { executor, report } from '../../../test/support/builders.ts';
import { projectExecutor, projectReport } from './projections.ts';
import { World } from './world.ts';

describe('projectReport', () => {
  it('keeps of all material only what ends first', () => {
    const ends = (notAfter: string) => ({ path: '$', source: 'inline', sha256: 'ab', notAfter });
    const { notAfter: _none, ...endless } = ends('');
    const material = [
      endless,
      ends('2027-01-01T00:00:00Z'),
      ends('2026-09-01T00:00:00Z'),
      ends('2028-01-01T00:00:00Z'),
    ];
    expect(projectReport(report({ material })).status?.material).to.deep.equal([
      ends('2026-09-01T00:00:00Z'),
    ]);
  });

  it('keeps neither labels nor owners', () => {
    expect(projectReport(report()).metadata).to.have.all.keys('name', 'namespace', 'uid', 'resourceVersion');
  });

  const garbage: Record<string, { readonly spec: unknown }> = {
    'without a spec': { spec: undefined },
    'with a spec that is a text': { spec: 'x' },
    'about an executor without a name': {
      spec: { executorRef: { kind: 'Executor' }, pod: { name: 'p', uid: 'u' } },
    },
    'about another kind': { spec: { executorRef: { kind: 'Pod', name: 'x' }, pod: { name: 'p', uid: 'u' } } },
    'about an executor in a namespace that is no text': {
      spec: { executorRef: { kind: 'Executor', name: 'x', namespace: 5 }, pod: { name: 'p', uid: 'u' } },
    },
    'of nobody': { spec: { executorRef: { kind: 'Executor', name: 'x' } } },
  };
  for (const [name, fields] of Object.entries(garbage)) {
    it(`AG-9: makes garbage ${name} a report about nobody`, () => {
      const { spec, status } = projectReport(raw(fields));
      expect({ name: spec.executorRef.name, uid: spec.pod.uid, status }).to.deep.equal({
        name: '',
        uid: '',
        status: undefined,
      });
    });

    it(`AG-9: goes on with the others beside garbage ${name}`, () => {
      expect(reportsBeside(projectReport(raw(fields)))).to.deep.equal(['pod-a']);
    });
  }

  for (const name of ['-a', 'a-', '']) {
    it(`AG-9: goes on with the others beside a report about the executor "${name}"`, () => {
      const spec = { executorRef: { kind: 'Executor', name }, pod: { name: 'p', uid: 'u' } };
      expect(reportsBeside(projectReport(raw({ spec })))).to.deep.equal(['pod-a']);
    });
  }

  /** The pods that report about `default`, when a list and then the watch tell of an odd report too. */
  function reportsBeside(odd: ExecutorPodStatus): readonly string[] {
    const world = new World(['ratify']);
    const named = { ...odd, metadata: { ...odd.metadata, name: 'odd', namespace: 'ratify' } };
    const reports = world.reportsIn('ratify');
    reports.apply({ kind: 'synced', objects: [named, projectReport(report())] });
    reports.apply({
      kind: 'applied',
      object: { ...named, metadata: { ...named.metadata, resourceVersion: '99' } },
    });
    return world.reportsOf('default').reports.map(({ spec }) => spec.pod.name);
  }

  it('AG-9: takes a status that makes no sense for no report', () => {
    const status = { ...report().status, executorGeneration: 'four' };
    expect(projectReport(raw({ status }))).not.to.have.property('status');
    expect(projectReport(raw({ status: 'good' }))).not.to.have.property('status');
  });

  const odd: Record<string, object> = {
    'material that is no list': { material: {} },
    'a null for material': { material: null },
    'material that is no object': { material: [null] },
    'an end of material that is no text': {
      material: [{ path: '$', source: 's', sha256: 'a', notAfter: 5 }],
    },
    'warnings that are no list': { warnings: 'many' },
    'a warning without a message': { warnings: [{ code: 'A', path: '$' }] },
    'a warning whose path is no text': { warnings: [{ code: 'A', path: 1, message: 'm' }] },
    'an error that is no text': { error: { text: 'x' } },
    'a brief error that is no text': { briefError: 5 },
    'a digest that is no text': { materialDigest: [] },
    'a recovery that is no text': { recoveredAt: 1 },
    'a reason of many words': { reason: 'no key at all' },
    'an endless reason': { reason: 'A'.repeat(65) },
    'a warning whose code is a sentence': { warnings: [{ code: 'a b', message: 'm' }] },
    'a transition at no time': { lastTransitionTime: 'yesterday' },
    'a generation of a success that is no number': { lastSucceededGeneration: 'four' },
  };
  for (const [name, fields] of Object.entries(odd)) {
    it(`AG-9: takes a status with ${name} for no report`, () => {
      const status = { ...report().status, ...fields };
      expect(projectReport(raw({ status }))).not.to.have.property('status');
    });
  }

  /** A report as another schema lets it in. */
  const raw = (fields: object): KubeObject => ({ ...report(), ...fields });
});

describe('projectExecutor', () => {
  it('keeps the status, and of managedFields what concerns it', () => {
    const own = { manager: 'a', subresource: 'status' };
    const raw = {
      ...executor({ managedFields: [own, { manager: 'b' }], labels: { a: 'b' } }),
      spec: { scopes: [] },
    };
    const kept: Executor = projectExecutor({ ...raw, status: { succeeded: true } } as Executor, 'Executor');
    expect(kept).to.deep.include({ kind: 'Executor', status: { succeeded: true } });
    expect(kept.metadata.managedFields).to.deep.equal([own]);
    expect(kept).not.to.have.property('spec');
    expect(kept.metadata).not.to.have.property('labels');
  });
});
