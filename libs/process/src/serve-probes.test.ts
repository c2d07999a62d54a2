import { connect } from 'node:net';
import { expect } from 'chai';
import { HealthChecks } from './health-checks.ts';
import { createLog } from './log.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { MisconfigurationError } from './misconfiguration-error.ts';
import { type ProbeServer, serveProbes } from './serve-probes.ts';

describe('serveProbes', () => {
  const ready = new HealthChecks();
  const lines: string[] = [];
  let server: ProbeServer;
  let broken = false;

  before(async () => {
    const real = createMetrics([{ name: 'a_total', kind: 'counter', help: 'A.' }]);
    const metrics: Metrics = {
      ...real,
      render: () => (broken ? Promise.reject(new Error('no figures')) : real.render()),
    };
    server = await serveProbes({
      host: '127.0.0.1',
      port: 0,
      probes: { '/livez': new HealthChecks(), '/readyz': ready },
      metrics,
      log: createLog({ level: 'info', write: (line) => lines.push(line) }),
    });
  });
  after(() => server.close());
  beforeEach(() => {
    ready.clear();
    broken = false;
  });

  it('takes a free port and logs it', () => {
    expect(JSON.parse(lines[0] ?? '')).to.include({ msg: 'serving probes', port: server.port });
  });

  it('answers 200 while no check fails', async () => {
    ready.add('watch', () => undefined);
    expect(await get('/readyz')).to.deep.equal({ code: 200, body: 'ok\n' });
    expect(await get('/livez')).to.deep.equal({ code: 200, body: 'ok\n' });
  });

  it('answers 503 with every check when one fails', async () => {
    ready.add('watch', () => undefined);
    ready.add('lease', () => 'nobody leads');
    const body = '[+]watch ok\n[-]lease failed: nobody leads\nfailed\n';
    expect(await get('/readyz')).to.deep.equal({ code: 503, body });
    expect((await get('/livez')).code).to.equal(200);
  });

  it('lists the checks on demand', async () => {
    ready.add('watch', () => undefined);
    expect(await get('/readyz?verbose')).to.deep.equal({ code: 200, body: '[+]watch ok\nok\n' });
  });

  it('serves the metrics', async () => {
    const response = await fetch(url('/metrics'));
    expect(response.headers.get('content-type')).to.equal('text/plain; version=0.0.4; charset=utf-8');
    expect(await response.text()).to.include('a_total 0');
  });

  it('answers 500 without details when something breaks, and logs it', async () => {
    broken = true;
    expect(await get('/metrics')).to.deep.equal({ code: 500, body: 'internal error\n' });
    expect(lines.at(-1)).to.include('no figures');
  });

  const requests: Record<string, { path: string; method?: string; code: number; body: string }> = {
    'no other path': { path: '/', code: 404, body: 'not found\n' },
    'no path that every object has': { path: '/constructor', code: 404, body: 'not found\n' },
    'no other method': { path: '/readyz', method: 'POST', code: 405, body: 'only GET and HEAD\n' },
    'HEAD without a body': { path: '/readyz', method: 'HEAD', code: 200, body: '' },
  };
  for (const [name, { path, method = 'GET', code, body }] of Object.entries(requests)) {
    it(`answers ${name}`, async () => {
      const response = await fetch(url(path), { method });
      expect({ code: response.status, body: await response.text() }).to.deep.equal({ code, body });
    });
  }

  it('survives what is no HTTP', async () => {
    const socket = connect(server.port, '127.0.0.1');
    socket.end('\u0000\u0001 nonsense\r\n\r\n');
    await new Promise((resolve) => {
      socket.on('close', resolve).resume();
    });
    expect((await get('/livez')).code).to.equal(200);
  });

  it('says which address is taken, as a misconfiguration', async () => {
    const options = {
      host: '127.0.0.1',
      port: server.port,
      probes: {},
      metrics: createMetrics(),
      log: createLog({ level: 'error', write: () => {} }),
    };
    const error = await serveProbes(options).catch((reason: unknown) => reason);
    expect(error).to.be.instanceOf(MisconfigurationError);
    expect(String(error)).to.match(/cannot serve probes on 127\.0\.0\.1:\d+: .*EADDRINUSE.*choose another/);
  });

  it('closes with connections open', async () => {
    const options = {
      host: '127.0.0.1',
      port: 0,
      probes: {},
      metrics: createMetrics(),
      log: createLog({ level: 'error', write: () => {} }),
    };
    const other = await serveProbes(options);
    const socket = connect(other.port, '127.0.0.1').on('error', () => {});
    await new Promise((resolve) => {
      socket.on('connect', resolve);
    });
    await other.close();
    socket.destroy();
  });

  const url = (path: string) => `http://127.0.0.1:${server.port}${path}`;
  async function get(path: string) {
    const response = await fetch(url(path));
    return { code: response.status, body: await response.text() };
  }
});
