import { expect } from 'chai';
import { createMetrics } from './metrics.ts';

describe('createMetrics', () => {
  it('shows a declared metric before it was ever counted', async () => {
    const metrics = createMetrics([
      { name: 'writes_total', kind: 'counter', help: 'Writes.' },
      { name: 'build_seconds', kind: 'histogram', help: 'Builds.', buckets: [0.1, 1] },
    ]);
    const text = await metrics.render();
    expect(text).to.include('# HELP writes_total Writes.\n# TYPE writes_total counter\nwrites_total 0\n');
    expect(text).to.include('# TYPE build_seconds histogram\n');
  });

  it('counts, sets and observes', async () => {
    const metrics = createMetrics([
      { name: 'b', kind: 'histogram', help: 'B.', buckets: [0.1, 1], labels: ['kind'] },
    ]);
    metrics.count('a_total', { result: 'ok' });
    metrics.count('a_total', { result: 'ok' }, 2);
    metrics.gauge('g', { x: '1' }, 5);
    metrics.gauge('g', { x: '1' }, 7);
    metrics.observe('b', { kind: 'Executor' }, 0.5);
    expect(await samples(metrics)).to.include.members([
      'a_total{result="ok"} 3',
      'g{x="1"} 7',
      'b_bucket{le="0.1",kind="Executor"} 0',
      'b_bucket{le="1",kind="Executor"} 1',
      'b_sum{kind="Executor"} 0.5',
    ]);
  });

  it('says of a metric that nobody declared that it is undocumented', async () => {
    const metrics = createMetrics();
    metrics.count('surprise_total');
    expect(await metrics.render()).to.include('# HELP surprise_total undocumented');
  });

  it('never throws: not for another kind, other labels, or a number that is none', async () => {
    const metrics = createMetrics([{ name: 'a_total', kind: 'counter', help: 'A.', labels: ['x'] }]);
    metrics.gauge('a_total', { x: '1' }, 3);
    metrics.count('a_total', { x: '1', y: '2' });
    metrics.count('a_total', {});
    metrics.count('a_total', { x: '1' }, -1);
    metrics.count('a_total', { x: '1' }, Number.NaN);
    metrics.gauge('g', {}, Number.NaN);
    expect(await samples(metrics)).to.include.members(['a_total{x="1"} 1', 'a_total{x=""} 1']);
  });

  it('forgets the series of an object that is gone, and no others', async () => {
    const metrics = createMetrics();
    for (const name of ['a', 'b']) {
      metrics.gauge('condition', { name, type: 'Ready' }, 1);
      metrics.gauge('condition', { name, type: 'Stalled' }, 0);
      metrics.count('builds_total', { name });
      metrics.observe('build_seconds', { name }, 1);
    }
    for (const metric of ['condition', 'builds_total', 'build_seconds', 'unknown'])
      metrics.forget(metric, { name: 'a' });
    const left = (await samples(metrics)).filter((line) => line.includes('name="'));
    expect(left.filter((line) => line.includes('name="a"'))).to.deep.equal([]);
    expect(left).to.include.members(['condition{name="b",type="Ready"} 1', 'builds_total{name="b"} 1']);
  });

  it('tells the memory, time and files of the process', async () => {
    const lines = await samples(createMetrics());
    const value = (name: string) => Number(lines.find((line) => line.startsWith(`${name} `))?.split(' ')[1]);
    expect(value('process_resident_memory_bytes')).to.be.greaterThan(1e7);
    expect(value('nodejs_heap_size_used_bytes')).to.be.greaterThan(1e6);
    expect(value('process_cpu_seconds_total')).to.be.greaterThan(0);
    expect(value('process_start_time_seconds')).to.be.greaterThan(1e9);
    expect(value('process_open_fds')).to.be.at.least(0);
  });

  it('keeps the figures of two sets apart', async () => {
    const [one, two] = [createMetrics(), createMetrics()];
    one.count('a_total');
    expect(await samples(two)).not.to.include('a_total 1');
  });
});

async function samples(metrics: { render(): Promise<string> }): Promise<string[]> {
  return (await metrics.render()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
}
