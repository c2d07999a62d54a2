import { KUBE_METRICS } from '@executor-status/kube';
import { createMetrics, type MetricDeclaration } from '@executor-status/process';
import { expect } from 'chai';
import { WRITER_METRICS } from '../../apps/executor-writer/src/writer-metrics.ts';
import { AGGREGATOR_METRICS } from '../../apps/status-aggregator/src/aggregator-metrics.ts';
import { documentedMetrics, servedMetrics } from './metrics-page.ts';

const APPS: Readonly<Record<string, readonly MetricDeclaration[]>> = {
  'executor-writer': [...WRITER_METRICS, ...KUBE_METRICS],
  'status-aggregator': [...AGGREGATOR_METRICS, ...KUBE_METRICS],
};

for (const [app, declared] of Object.entries(APPS)) {
  describe(`the metrics of the ${app}`, () => {
    it('OP-3: stand in the docs, each with its kind and meaning', async () => {
      const documented = await documentedMetrics(app);
      const served = servedMetrics(await createMetrics(declared).render());
      expect(documented.map(({ name, kind, help }) => ({ name, kind, help }))).to.include.deep.members(
        served,
      );
    });

    it('OP-3: stand in the docs with their labels', async () => {
      const labels = new Map((await documentedMetrics(app)).map((metric) => [metric.name, metric.labels]));
      for (const { name, labels: own = [] } of declared) expect(labels.get(name), name).to.deep.equal(own);
    });

    it('OP-3: carry neither pods nor texts of errors in their labels', () => {
      const labels = declared.flatMap((metric) => metric.labels ?? []);
      expect(labels).not.to.include.members(['pod']);
      for (const label of labels) expect(label).not.to.match(/pod|error|message|node|uid/);
    });
  });
}
