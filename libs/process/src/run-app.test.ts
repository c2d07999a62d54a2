import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { waitUntil } from '../../../test/support/wait-until.ts';
import type { App, AppContext } from './app.ts';
import { type ConfigOf, configSchema, PARKING_SETTINGS } from './config-schema.ts';
import { MisconfigurationError } from './misconfiguration-error.ts';
import { exitCodeOf } from './run-app.ts';

const PLAIN = configSchema({ size: { type: 'integer', default: 1, description: 'A size.' } });
const PARKING = configSchema({
  ...PARKING_SETTINGS,
  size: { type: 'integer', default: 1, description: 'A size.' },
});
const LOCAL = ['--probe-port=0', '--probe-host=127.0.0.1'];

describe('exitCodeOf', () => {
  it('runs the program with its configuration and exits with 0 when that has stopped', async () => {
    const seen: number[] = [];
    const { host, lines } = fakeHost([...LOCAL, '--size=7']);
    const code = await exitCodeOf(
      plain(async ({ config }) => void seen.push(config.size)),
      host,
    );
    expect({ code, seen }).to.deep.equal({ code: 0, seen: [7] });
    expect(lines().map(({ msg }) => msg)).to.deep.equal(['starting', 'serving probes', 'stopped']);
    expect(lines()[0]).to.include({ app: 'sample', version: '1.2.3' });
  });

  it('tells the program to stop, and takes the end of what it waited for as the stop', async () => {
    const { host, stop } = fakeHost(LOCAL);
    const code = exitCodeOf(
      plain(async ({ signal }) => {
        stop();
        signal.throwIfAborted();
      }),
      host,
    );
    expect(await code).to.equal(0);
  });

  it('does not begin the program when the stop came first (WP-12)', async () => {
    const { host, stop } = fakeHost(LOCAL);
    const code = exitCodeOf(
      plain(async () => expect.fail('it ran')),
      host,
    );
    stop();
    expect(await code).to.equal(0);
  });

  it('takes a failure after the stop for the stop, and says what it was (WP-12)', async () => {
    for (const app of [plain, parking]) {
      const { host, stop, lines } = fakeHost(LOCAL);
      const code = await exitCodeOf(
        app(async () => {
          stop();
          throw new Error('cannot create SelfSubjectReview: Aborted');
        }),
        host,
      );
      expect(code).to.equal(0);
      expect(lines().at(-1)).to.include({
        level: 'warn',
        msg: 'failed while it stopped',
        error: 'cannot create SelfSubjectReview: Aborted',
      });
    }
  });

  it('CF-1 exits with 78 on a bad configuration, and one line names key and allowed values', async () => {
    const { host, lines } = fakeHost([...LOCAL, '--size=big']);
    const code = await exitCodeOf(
      plain(async () => expect.fail('it ran')),
      host,
    );
    expect(code).to.equal(78);
    const errors = lines().filter(({ level }) => level === 'error');
    expect(errors).to.have.length(1);
    expect(errors[0]).to.include({
      msg: 'misconfigured',
      error: 'bad configuration: flag --size: size must be a whole number, not "big"',
    });
  });

  it('exits with 78 when the program finds itself misconfigured, and with 1 when it crashes', async () => {
    const misconfigured = plain(() => Promise.reject(new MisconfigurationError('POD_NAME is wrong')));
    const crashed = plain(() => Promise.reject(new Error('boom')));
    expect(await exitCodeOf(misconfigured, fakeHost(LOCAL).host)).to.equal(78);
    expect(await exitCodeOf(crashed, fakeHost(LOCAL).host)).to.equal(1);
  });

  it('exits with 1 when the stop takes too long', async () => {
    const { host, stop, lines } = fakeHost([...LOCAL, '--shutdown-timeout=100ms']);
    const code = exitCodeOf(
      plain(() => {
        stop();
        return new Promise(() => {});
      }),
      host,
    );
    expect(await code).to.equal(1);
    expect(lines().at(-1)).to.include({ msg: 'did not stop in time', shutdownTimeoutMs: 100 });
  });

  it('exits with 1 on an error that nobody handled, and logs it', async () => {
    const { host, lines, leaveUnhandled } = fakeHost(LOCAL);
    const code = exitCodeOf(
      plain(() => {
        leaveUnhandled(new Error('nobody looks'));
        return new Promise(() => {});
      }),
      host,
    );
    expect(await code).to.equal(1);
    expect(lines().at(-1)).to.include({ msg: 'nobody handled an error', error: 'nobody looks' });
  });

  const printed: Record<string, { argv: string[]; code: number; out?: string; err?: string }> = {
    '--version': { argv: ['--version'], code: 0, out: 'sample 1.2.3\n' },
    '--help, also beside a bad flag': { argv: ['--nope', '--help'], code: 0, out: 'sample [flags]\n' },
    '--print-config': { argv: ['--print-config', '--size', '5'], code: 0, out: 'size: 5 # flag --size\n' },
    '--print-config of a bad configuration': {
      argv: ['--print-config', '--size=big'],
      code: 78,
      err: 'bad configuration: flag --size: size must be a whole number, not "big"\n',
    },
  };
  for (const [name, { argv, code, out = '', err = '' }] of Object.entries(printed)) {
    it(`CF-1 answers ${name} without running`, async () => {
      const { host, output, complaints } = fakeHost(argv);
      expect(
        await exitCodeOf(
          plain(async () => expect.fail('it ran')),
          host,
        ),
      ).to.equal(code);
      expect(output()).to.include(out).and.not.include('starting');
      expect(complaints()).to.equal(err);
    });
  }

  describe('of a program that parks', () => {
    it('WP-13 answers its liveness probe, says why it is not ready, and goes on when the file is mended', async () => {
      const file = { content: 'size: big' };
      const { host, lines } = fakeHost([...LOCAL, '--config=/c', '--park-retry=10ms'], () => file.content);
      const sizes: number[] = [];
      const ended = exitCodeOf(
        parking(async ({ config }) => void sizes.push(config.size)),
        host,
      );
      const port = await probePort(lines);
      const ready = await waitUntil(
        async () => {
          const answer = await get(port, '/readyz');
          return answer.code === 503 ? answer : undefined;
        },
        { what: 'the parked process to be unready' },
      );
      expect(ready.body).to.include(
        '[-]parked failed: bad configuration: file /c: size must be a whole number',
      );
      expect((await get(port, '/livez')).code).to.equal(200);
      expect((await get(port, '/metrics')).body).to.include('executor_status_parked 1');
      file.content = 'size: 3';
      expect(await ended).to.equal(0);
      expect(sizes).to.deep.equal([3]);
    });

    it('WP-13 says so once, however often it looks', async () => {
      let runs = 0;
      const { host, lines, stop } = fakeHost([...LOCAL, '--park-retry=10ms']);
      const code = exitCodeOf(
        parking(() => {
          if (++runs === 5) stop();
          return Promise.reject(new MisconfigurationError('POD_NAME is wrong'));
        }),
        host,
      );
      expect(await code).to.equal(0);
      expect(runs).to.equal(5);
      const errors = lines().filter(({ level }) => level === 'error');
      expect(errors).to.have.length(1);
      expect(errors[0]).to.include({ msg: 'misconfigured: parked', error: 'POD_NAME is wrong', retryMs: 10 });
    });

    it('gives each try the same rare log, so that a line of each try is one line', async () => {
      const { host, lines } = fakeHost([...LOCAL, '--park-retry=10ms']);
      const code = exitCodeOf(
        parking(async ({ attempt, rareLog }) => {
          rareLog.warn('cannot start yet');
          if (attempt < 4) throw new Error('not yet');
        }),
        host,
      );
      expect(await code).to.equal(0);
      expect(lines().filter(({ msg }) => msg === 'cannot start yet')).to.have.length(1);
    });

    it('starts the program again after a crash, without the checks of the one that crashed', async () => {
      let runs = 0;
      const names: string[][] = [];
      const { host } = fakeHost([...LOCAL, '--park-retry=10ms']);
      const code = exitCodeOf(
        parking(async ({ ready, live }) => {
          names.push([...live.results(), ...ready.results()].map(({ name }) => name));
          ready.add('watch', () => undefined);
          live.add('worker', () => undefined);
          if (++runs === 1) throw new Error('boom');
        }),
        host,
      );
      expect(await code).to.equal(0);
      expect(names).to.deep.equal([['event-loop'], ['event-loop', 'parked']]);
    });

    it('WP-13 counts as parked, and is unready, until a new try has got through its start', async () => {
      const seen: unknown[] = [];
      const { host } = fakeHost([...LOCAL, '--park-retry=10ms']);
      const code = exitCodeOf(
        parking(async ({ attempt, started, ready, metrics }) => {
          const look = async () =>
            seen.push([
              attempt,
              ready.results().map(({ failure }) => failure),
              /^executor_status_parked (.*)$/m.exec(await metrics.render())?.[1],
            ]);
          await look();
          if (attempt < 3) throw new MisconfigurationError(`wrong at try ${attempt}`);
          started();
          await look();
        }),
        host,
      );
      expect(await code).to.equal(0);
      expect(seen).to.deep.equal([
        [1, [], '0'],
        [2, ['wrong at try 1'], '1'],
        [3, ['wrong at try 2'], '1'],
        [3, [], '0'],
      ]);
    });

    it('goes on after an error that nobody handled, and counts it', async () => {
      const { host, lines, leaveUnhandled } = fakeHost(LOCAL);
      let figures = '';
      const code = exitCodeOf(
        parking(async ({ metrics }) => {
          leaveUnhandled(new Error('nobody looks'));
          await Promise.resolve();
          figures = await metrics.render();
        }),
        host,
      );
      expect(await code).to.equal(0);
      expect(figures).to.include('executor_status_unhandled_errors_total 1');
      expect(lines().some(({ msg }) => msg === 'nobody handled an error')).to.equal(true);
    });

    it('waits for a port that is taken', async () => {
      const holder = createServer().listen(0, '127.0.0.1');
      await once(holder, 'listening');
      const address = holder.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      const { host, lines } = fakeHost([
        '--probe-host=127.0.0.1',
        `--probe-port=${port}`,
        '--park-retry=10ms',
      ]);
      const ended = exitCodeOf(
        parking(async () => {}),
        host,
      );
      await waitUntil(() => lines().find(({ msg }) => msg === 'misconfigured: parked'), {
        what: 'the line that it is parked',
      });
      holder.close();
      expect(await ended).to.equal(0);
    });

    it('CF-1 exits with 78 when told to, and whatever else is wrong', async () => {
      const argv = [...LOCAL, '--exit-on-misconfiguration', '--size=big', '--nope'];
      expect(
        await exitCodeOf(
          parking(async () => expect.fail('it ran')),
          fakeHost(argv).host,
        ),
      ).to.equal(78);
    });

    it('stops while it is parked', async () => {
      const { host, stop, lines } = fakeHost([...LOCAL, '--size=big', '--park-retry=1h']);
      const ended = exitCodeOf(
        parking(async () => {}),
        host,
      );
      await waitUntil(() => lines().find(({ msg }) => msg === 'misconfigured: parked'), {
        what: 'the line that it is parked',
      });
      stop();
      expect(await ended).to.equal(0);
    });
  });
});

describe('runApp in a process of its own', () => {
  const running: ChildProcess[] = [];
  afterEach(() => {
    for (const child of running.splice(0)) child.kill('SIGKILL');
  });

  const ends: Record<string, { argv: string[]; parks?: boolean; signals?: NodeJS.Signals[]; code: number }> =
    {
      'with 0 on SIGTERM': { argv: [], signals: ['SIGTERM'], code: 0 },
      'with 0 on SIGINT': { argv: [], signals: ['SIGINT'], code: 0 },
      'with 1 at the second signal': { argv: ['--what=hang'], signals: ['SIGTERM', 'SIGINT'], code: 1 },
      'with 78 on a bad flag': { argv: ['--what=nope'], code: 78 },
      'with 78 when misconfigured': { argv: ['--what=misconfigured'], code: 78 },
      'with 1 on a rejection that nobody handles': { argv: ['--what=reject'], code: 1 },
      'with 1 on an error thrown at large': { argv: ['--what=throw'], code: 1 },
      'only on SIGTERM when it parks, despite a bad flag': {
        argv: ['--what=nope'],
        parks: true,
        signals: ['SIGTERM'],
        code: 0,
      },
      'only on SIGTERM when it parks, despite an unhandled rejection': {
        argv: ['--what=reject'],
        parks: true,
        signals: ['SIGTERM'],
        code: 0,
      },
    };
  for (const [name, { argv, parks = false, signals = [], code }] of Object.entries(ends)) {
    it(`ends ${name}`, async () => {
      const child = start(argv, parks);
      if (signals.length > 0) await child.says(/"msg":"(?:running|misconfigured: parked)"/);
      for (const signal of signals) child.process.kill(signal);
      expect(await child.exit, child.output()).to.equal(code);
    });
  }

  it('goes on when nobody reads its log any more, and still stops on SIGTERM (WP-13)', async () => {
    const child = start(['--what=talk'], true);
    await child.says(/"msg":"talking"/);
    const port = Number(/"port":(\d+)/.exec(child.output())?.[1]);
    child.process.stdout?.destroy();
    child.process.stderr?.destroy();
    // It writes a line each millisecond, so many go nowhere meanwhile.
    for (let probe = 0; probe < 50; probe += 1) expect((await get(port, '/livez')).code).to.equal(200);
    expect(await unhandledErrors(port)).to.equal(0);
    child.process.kill('SIGTERM');
    expect(await child.exit).to.equal(0);
  });

  async function unhandledErrors(port: number): Promise<number> {
    const { body } = await get(port, '/metrics');
    return Number(/^executor_status_unhandled_errors_total (\d+)$/m.exec(body)?.[1]);
  }

  function start(argv: readonly string[], parks: boolean) {
    const sample = fileURLToPath(new URL('../test/sample-app.ts', import.meta.url));
    const child = spawn(process.execPath, ['--conditions=source', sample, ...LOCAL, ...argv], {
      env: { PATH: process.env['PATH'], PARKS: String(parks) },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    running.push(child);
    let text = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
    }
    return {
      process: child,
      output: () => text,
      exit: once(child, 'exit').then(([code]): unknown => code),
      says: (pattern: RegExp) => waitUntil(() => pattern.test(text), { what: `a line like ${pattern}` }),
    };
  }
});

function plain(main: (context: AppContext<ConfigOf<typeof PLAIN>>) => Promise<void>): App<typeof PLAIN> {
  return { name: 'sample', version: '1.2.3', schema: PLAIN, main };
}

function parking(
  main: (context: AppContext<ConfigOf<typeof PARKING>>) => Promise<void>,
): App<typeof PARKING> {
  return { name: 'sample', version: '1.2.3', schema: PARKING, main };
}

function fakeHost(argv: readonly string[], readFile: (path: string) => string = () => '') {
  const written: string[] = [];
  const complaints: string[] = [];
  const controller = new AbortController();
  let report = (_error: unknown) => {};
  return {
    host: {
      argv,
      env: {},
      readFile,
      write: (text: string) => void written.push(text),
      complain: (text: string) => void complaints.push(text),
      signal: controller.signal,
      onUnhandled: (to: (error: unknown) => void) => {
        report = to;
      },
    },
    stop: () => controller.abort(),
    leaveUnhandled: (error: unknown) => report(error),
    output: () => written.join(''),
    complaints: () => complaints.join(''),
    lines: () => written.map((line): Record<string, unknown> => JSON.parse(line)),
  };
}

async function probePort(lines: () => Record<string, unknown>[]): Promise<number> {
  const line = await waitUntil(() => lines().find(({ msg }) => msg === 'serving probes'), {
    what: 'the probe port',
  });
  return Number(line['port']);
}

async function get(port: number, path: string) {
  const response = await fetch(`http://127.0.0.1:${port}${path}`);
  return { code: response.status, body: await response.text() };
}
