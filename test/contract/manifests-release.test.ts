import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';
import { ROOT } from './crd-schema.ts';

interface Step {
  readonly name?: string;
  readonly uses?: string;
  readonly run?: string;
}

interface Job {
  readonly needs?: string;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly 'timeout-minutes'?: number;
  readonly steps: readonly Step[];
}

describe('the release workflow', () => {
  let text: string;
  let jobs: Readonly<Record<string, Job>>;
  let permissions: unknown;

  before(async () => {
    text = await readFile(join(ROOT, '.github/workflows/release.yaml'), 'utf8');
    ({ jobs, permissions } = parse(text) as { jobs: typeof jobs; permissions: unknown });
  });

  const stepsOf = (job: string) => jobs[job]?.steps ?? [];

  it('SE-6 gives each job its own rights and an end', () => {
    expect(permissions).to.deep.equal({});
    for (const [name, job] of Object.entries(jobs)) {
      expect(job.permissions, name).not.to.equal(undefined);
      expect(job['timeout-minutes'], name).to.be.a('number');
    }
  });

  it('SE-6 names every action by its commit, those aside whose commit the file says how to find', () => {
    const moving = Object.values(jobs)
      .flatMap(({ steps }) => steps.map(({ uses }) => uses ?? ''))
      .filter((uses) => uses !== '' && !/@[0-9a-f]{40}$/.test(uses));
    expect(moving).to.have.members([
      'notaryproject/notation-action/setup@v1',
      'notaryproject/notation-action/sign@v1',
    ]);
    expect(text).to.contain('git ls-remote https://github.com/notaryproject/notation-action');
  });

  it('SE-6 publishes nothing before every check and test has passed', () => {
    const runs = stepsOf('test').map(({ run = '' }) => run);
    for (const wanted of ['npm ci', 'npm audit', 'npm run check', 'npm test', 'npm run test:cluster']) {
      expect(
        runs.some((run) => run.includes(wanted)),
        wanted,
      ).to.equal(true);
    }
    expect(jobs['publish']?.needs).to.equal('test');
    expect(jobs['release']?.needs).to.equal('publish');
  });

  it('SE-6 signs twice, and attests what is in the images and where they come from', () => {
    const uses = stepsOf('publish').map(({ uses: action = '' }) => action.split('@')[0]);
    expect(uses).to.include.members([
      'sigstore/cosign-installer',
      'notaryproject/notation-action/sign',
      'actions/attest-build-provenance',
      'anchore/sbom-action',
    ]);
    expect(text).to.contain('cosign sign --yes').and.to.contain('linux/amd64,linux/arm64');
  });
});
