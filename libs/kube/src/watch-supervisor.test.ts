import { noMetrics } from '@executor-status/controller';
import { expect } from 'chai';
import { KubeError } from './kube-error.ts';
import type { Log } from './log.ts';
import { WatchHealth } from './watch-health.ts';
import { WatchSupervisor } from './watch-supervisor.ts';

const LONG_MS = 31_000;

describe('WatchSupervisor', () => {
  const cases: Record<string, { run: (scene: Scene) => Promise<void>; waits: number[]; said?: string[] }> = {
    'forgets the failures of an outage once a watch has lived for a while': {
      run: async (scene) => {
        await scene.fails(503);
        scene.watches();
        scene.passes(LONG_MS);
        await scene.fails(503);
      },
      waits: [10, 10],
    },
    'does not take a request for alive that nobody answers, however long it was open': {
      run: async (scene) => {
        for (let time = 0; time < 3; time += 1) {
          scene.supervisor.begins('watching');
          scene.passes(LONG_MS);
          await scene.fails();
        }
      },
      waits: [10, 20, 40],
      said: ['warn: a watch keeps failing; retrying for ever'],
    },
    'does not take a list for alive that takes long and fails': {
      run: async (scene) => {
        for (let time = 0; time < 3; time += 1) {
          scene.supervisor.begins('listing');
          scene.supervisor.heard();
          scene.passes(LONG_MS);
          await scene.fails(503);
        }
      },
      waits: [10, 20, 40],
      said: ['warn: a watch keeps failing; retrying for ever'],
    },
    'lets lists come further apart when the version expires after each, whatever came between': {
      run: async (scene) => {
        for (let time = 0; time < 4; time += 1) {
          scene.lists();
          scene.supervisor.progressed();
          await scene.fails(410);
        }
      },
      waits: [0, 10, 20, 40],
      said: ['warn: a watch keeps failing; retrying for ever'],
    },
    'lists at once again when a watch that lived expires, and says that it worked': {
      run: async (scene) => {
        for (let time = 0; time < 2; time += 1) {
          scene.lists();
          await scene.fails(410);
        }
        scene.lists();
        scene.passes(LONG_MS);
        scene.supervisor.progressed();
        await scene.fails(410);
      },
      waits: [0, 10, 0],
      said: ['warn: a watch keeps failing; retrying for ever', 'info: a watch works again'],
    },
  };
  for (const [name, { run, waits, said = [] }] of Object.entries(cases)) {
    it(name, async () => {
      const scene = newScene();
      await run(scene);
      expect(scene.waits).to.deep.equal(waits);
      expect(scene.said).to.deep.equal(said);
    });
  }

  it('is watching, not listing, when a kind is back that was missing', async () => {
    const { supervisor, health } = newScene();
    health.phase = 'missing';
    supervisor.begins('watching');
    expect(health.phase).to.equal('missing');
    supervisor.heard();
    expect(health.phase).to.equal('watching');
  });
});

type Scene = ReturnType<typeof newScene>;

function newScene() {
  let nowMs = 0;
  const waits: number[] = [];
  const said: string[] = [];
  const clock = {
    now: () => nowMs,
    wallMs: () => nowMs,
    sleep: async (ms: number) => void waits.push(ms),
  };
  const tell = (level: string) => (message: string) => void said.push(`${level}: ${message}`);
  const log: Log = { debug: () => {}, info: tell('info'), warn: tell('warn'), error: tell('error') };
  const health = new WatchHealth('pods', clock);
  const supervisor = new WatchSupervisor({
    resource: 'pods',
    clock,
    random: () => 0.5,
    backoff: { baseMs: 10, maxMs: 60_000, jitter: 0 },
    health,
    metrics: noMetrics,
    log,
  });
  return {
    supervisor,
    health,
    waits,
    said,
    passes: (ms: number) => {
      nowMs += ms;
    },
    watches: () => {
      supervisor.begins('watching');
      supervisor.heard();
    },
    lists: () => {
      supervisor.begins('listing');
      supervisor.heard();
      supervisor.synced();
    },
    /** Without a code, nothing came back. */
    fails: async (code?: number) => {
      const asked = { verb: 'watch', target: 'pods', reason: 'Failed' };
      const error = new KubeError(code === undefined ? asked : { ...asked, code });
      await supervisor.pause(error, new AbortController().signal);
    },
  };
}
