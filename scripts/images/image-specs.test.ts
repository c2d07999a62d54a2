import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EXECUTOR_GROUP } from '@executor-status/api';
import { expect } from 'chai';
import { NODE_ENVIRONMENT } from '../node-flags.ts';
import { DEFAULT_REGISTRY, IMAGES, USER } from './image-specs.ts';

const ROOT = join(import.meta.dirname, '../..');
const read = (path: string) => readFile(join(ROOT, path), 'utf8');

describe('the Dockerfile', () => {
  let stages: readonly string[];

  before(async () => {
    stages = (await read('Dockerfile')).split(/^FROM /m).slice(1);
  });

  for (const { app, flags, title } of IMAGES) {
    it(`SE-4 SE-6 makes of ${app} what build-images makes`, () => {
      const stage = stages.find((text) => text.includes(` AS ${app}\n`)) ?? '';
      const [, entrypoint = ''] = /^ENTRYPOINT (.*)$/m.exec(stage) ?? [];
      expect(JSON.parse(entrypoint)).to.deep.equal(['/nodejs/bin/node', ...flags, '/app/main.js']);
      expect(stage).to.contain(`USER ${USER.id}:${USER.id}\n`);
      const [, environment = ''] = /^ENV (.*)$/m.exec(stage) ?? [];
      const wanted = { HOME: USER.home, ...NODE_ENVIRONMENT };
      expect(environment.split(' ')).to.have.members(
        Object.entries(wanted).map(([name, value]) => `${name}=${value}`),
      );
      expect(stage).to.contain(`description="${title}"`);
    });
  }

  it('SE-6 has no base image that could move', () => {
    const [, ...args] = stages;
    expect(args).to.have.lengthOf(IMAGES.length);
    for (const stage of stages) expect(stage).to.match(/^(--platform=\S+ )?\$\{(BUILD|BASE)_IMAGE\}/);
  });
});

describe('the images of the manifests', () => {
  it('are those that are built, in the version of the project', async () => {
    const { version } = JSON.parse(await read('package.json')) as { readonly version: string };
    const places = {
      'executor-writer': [
        'manifests/injection/policy.yaml',
        'manifests/components/patch-ratify/sidecar/sidecar.yaml',
      ],
      'status-aggregator': ['manifests/status-aggregator/deployment.yaml'],
    };
    for (const { app } of IMAGES) {
      for (const place of places[app]) {
        expect(await read(place), place).to.contain(`${DEFAULT_REGISTRY}/${app}:${version}`);
      }
    }
  });

  it('are told the group of the executors that is the default', async () => {
    expect(await read('manifests/status-aggregator/deployment.yaml')).to.contain(`=${EXECUTOR_GROUP}`);
  });
});
