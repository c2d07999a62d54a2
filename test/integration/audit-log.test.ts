import { appendFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { AuditLog } from '../support/control-plane/audit-log.ts';

describe('AuditLog', () => {
  let root: string;
  let file: string;
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'audit-'));
    file = join(root, 'audit.log');
  });
  afterEach(() => rm(root, { recursive: true }));

  it('waits for what was answered before the question and is written after it', async () => {
    const log = new AuditLog(file, (path) => {
      setTimeout(() => void appendFile(file, `${line({ name: 'late' })}${line({ uri: path })}`), 100);
      return Promise.resolve();
    });
    expect((await log.entries()).map(({ name }) => name)).to.deep.equal(['late']);
  });

  it('answers questions that are asked at the same time', async () => {
    const log = new AuditLog(file, (path) => appendFile(file, line({ uri: path })));
    await appendFile(file, line({ name: 'one' }));
    const answers = await Promise.all([
      log.count(),
      log.count(),
      log.count({ name: 'one' }),
      log.count({ name: 'two' }),
    ]);
    expect(answers).to.deep.equal([1, 1, 1, 0]);
  });

  it('reads what was written while the API server does not answer', async () => {
    const log = new AuditLog(file, () => Promise.reject(new Error('refused')));
    expect(await log.count()).to.equal(0);
    await appendFile(file, line({ name: 'one' }));
    expect(await log.count()).to.equal(1);
  });

  it('does not read half a line, nor half a character', async () => {
    const log = new AuditLog(file, () => Promise.reject(new Error('refused')));
    const bytes = Buffer.from(line({ name: 'größe' }));
    const half = bytes.indexOf(Buffer.from('ö')) + 1;
    await appendFile(file, bytes.subarray(0, half));
    expect(await log.count()).to.equal(0);
    await appendFile(file, bytes.subarray(half));
    expect(await log.count({ name: 'größe' })).to.equal(1);
  });

  it('counts a watch once, when it begins', async () => {
    const log = new AuditLog(file, () => Promise.reject(new Error('refused')));
    await appendFile(file, line({ verb: 'watch', stage: 'ResponseStarted' }));
    expect(await log.count({ verb: 'watch' })).to.equal(1);
    await appendFile(file, line({ verb: 'watch', stage: 'ResponseComplete' }));
    expect(await log.count({ verb: 'watch' })).to.equal(1);
    await appendFile(file, line({ verb: 'watch', stage: 'ResponseComplete', code: 403 }));
    expect(await log.count({ verb: 'watch', code: [401, 403] })).to.equal(1);
  });

  it('tells the object itself from its status', async () => {
    const log = new AuditLog(file, () => Promise.reject(new Error('refused')));
    await appendFile(file, line({ verb: 'patch' }) + line({ verb: 'patch', subresource: 'status' }));
    expect(await log.count({ verb: 'patch', subresource: '' })).to.equal(1);
    expect(await log.count({ verb: 'patch', subresource: 'status' })).to.equal(1);
    expect(await log.count({ verb: 'patch' })).to.equal(2);
  });
});

interface Fields {
  readonly verb?: string;
  readonly stage?: string;
  readonly name?: string;
  readonly subresource?: string;
  readonly uri?: string;
  readonly code?: number;
}

/** One line as the API server writes it. */
function line({ verb = 'get', stage = 'ResponseComplete', code = 200, ...fields }: Fields): string {
  const { uri = '/api/v1/namespaces/default/pods/x', ...object } = fields;
  const event = {
    stage,
    verb,
    requestURI: uri,
    user: { username: 'admin' },
    objectRef: { resource: 'pods', namespace: 'default', name: 'x', ...object },
    responseStatus: { code },
    requestReceivedTimestamp: '2026-08-06T09:49:44.123456Z',
  };
  return `${JSON.stringify(event)}\n`;
}
