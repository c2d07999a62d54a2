import { expect } from 'chai';
import { SAMPLE_SCHEMA } from '../test/sample-schema.ts';
import { configTable } from './config-table.ts';

describe('configTable', () => {
  const rows = configTable(SAMPLE_SCHEMA).trimEnd().split('\n');

  it('CF-1 has a row for every setting, by name, under a head', () => {
    expect(rows.slice(0, 2)).to.deep.equal([
      '| Flag | Environment | Key in a file | Values | Default | Meaning |',
      '| --- | --- | --- | --- | --- | --- |',
    ]);
    expect(rows.slice(2).map((row) => row.split('|')[1]?.trim())).to.deep.equal([
      '`--grace`',
      '`--log-level`',
      '`--pod-name`',
      '`--pod-selector`',
      '`--probe-host`',
      '`--probe-port`',
      '`--shutdown-timeout`',
    ]);
  });

  it('CF-1 says of each how it is set, what it takes and what it is without', () => {
    expect(rows).to.include(
      '| `--grace` | `EXECUTOR_STATUS_GRACE` | `grace` | a duration such as 500ms, 60s or 1h30m, from 1s to 1h | `60s` | Grace. |',
    );
    expect(rows).to.include(
      '| `--pod-selector` | `EXECUTOR_STATUS_POD_SELECTOR` | `podSelector` | text | not set | Which pods. |',
    );
  });

  it('CF-1 shows the name of a variable of its own, that it is required, and a bar as a bar', () => {
    expect(rows).to.include(
      '| `--pod-name` | `POD_NAME` | `podName` | a text that is not empty | required | The pod \\| itself. |',
    );
  });
});
