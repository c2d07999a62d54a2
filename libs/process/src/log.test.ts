import { expect } from 'chai';
import { createLog, type LogLevel } from './log.ts';

describe('createLog', () => {
  it('writes one JSON line with level, time and message, and the fields', () => {
    const { log, lines } = recorded();
    log.info('report written', { executor: 'default', generation: 4 });
    expect(lines()).to.deep.equal([
      {
        level: 'info',
        time: '2026-08-06T09:49:44.000Z',
        msg: 'report written',
        executor: 'default',
        generation: 4,
      },
    ]);
  });

  it('drops what is less important than its level', () => {
    const { log, lines } = recorded('warn');
    log.debug('a');
    log.info('b');
    log.warn('c');
    log.error('d');
    expect(lines().map(({ level }) => level)).to.deep.equal(['warn', 'error']);
  });

  it('gives every line of a child the fields of the child', () => {
    const { log, lines } = recorded();
    log.child({ app: 'x' }).child({ pod: 'y' }).info('a', { z: 1 });
    expect(lines()[0]).to.include({ app: 'x', pod: 'y', z: 1 });
  });

  it('shows an error as its chain of causes without a stack', () => {
    const { log, lines, text } = recorded();
    log.error('failed', { error: new Error('cannot write', { cause: new Error('no answer') }) });
    expect(lines()[0]).to.include({ error: 'cannot write: no answer' });
    expect(text()).not.to.include('log.test.ts');
  });

  it('shows the stack at debug', () => {
    const { log, lines } = recorded('debug');
    log.error('failed', { error: new Error('cannot write') });
    expect(lines()[0]?.['errorStack'])
      .to.be.an('array')
      .that.satisfies((stack: string[]) => stack.some((line) => line.includes('log.test.ts')));
  });

  const secrets: Record<string, Record<string, unknown>> = {
    'a text': { url: 'https://user:hunter2@example.org' },
    'an error': { error: new Error('Bearer hunter2hunter2 refused') },
    'the cause of an error': { error: new Error('no', { cause: new Error('password=hunter2') }) },
    'an error of many lines': {
      error: new Error('-----BEGIN EC PRIVATE KEY-----\nhunter2\n-----END EC PRIVATE KEY----- [removed]'),
    },
    'a member of a member': { a: { b: [{ c: 'password: hunter2' }] } },
  };
  for (const [name, fields] of Object.entries(secrets)) {
    it(`WP-10 removes a secret from ${name}`, () => {
      for (const level of ['info', 'debug'] as const) {
        const { log, text } = recorded(level);
        log.child(fields).info('a', fields);
        expect(text()).to.include('[removed]').and.not.include('hunter2');
      }
    });
  }

  const odd: Record<string, { fields: Record<string, unknown>; want: Record<string, unknown> }> = {
    'a text of many lines on one': { fields: { a: 'x\ny\u001b[31mz' }, want: { a: 'x yz' } },
    'no function and no symbol': { fields: { a: () => 1, b: Symbol('x') }, want: {} },
    'a BigInt as text': { fields: { a: 12n }, want: { a: '12' } },
    'a date as text': { fields: { a: new Date(0) }, want: { a: '1970-01-01T00:00:00.000Z' } },
    'a date that is none': { fields: { a: new Date(Number.NaN) }, want: { a: 'no date' } },
    'null, and nothing for undefined': { fields: { a: null, b: undefined }, want: { a: null } },
    'a field that is called as one of its own': {
      fields: { level: 9, msg: 'x' },
      want: { level_: 9, msg_: 'x' },
    },
    'a deep value cut': {
      fields: { a: { b: { c: { d: { e: { f: 1 } } } } } },
      want: { a: { b: { c: { d: { e: '…' } } } } },
    },
  };
  for (const [name, { fields, want }] of Object.entries(odd)) {
    it(`writes ${name}`, () => {
      const { log, lines } = recorded();
      log.info('a', fields);
      const { level: _level, time: _time, msg: _msg, ...rest } = lines()[0] ?? {};
      expect(rest).to.deep.equal(want);
    });
  }

  it('writes a value that contains itself', () => {
    const { log, lines } = recorded();
    const circle: Record<string, unknown> = {};
    circle['self'] = circle;
    log.info('a', { circle });
    expect(lines()).to.have.length(1);
  });

  it('bounds long texts and lists', () => {
    const { log, text } = recorded();
    log.info('a', { long: 'x'.repeat(1e6), list: Array.from({ length: 1e5 }, () => 'y') });
    expect(text().length).to.be.lessThan(6000);
  });

  describe('onceIn', () => {
    it('OP-4 writes equal lines once in the period, and then with how many were left out', () => {
      const { log, lines, tick } = recorded();
      const rare = log.onceIn(1000);
      for (let time = 0; time <= 1000; time += 100) {
        rare.error('failed', { error: new Error('no') });
        tick(100);
      }
      expect(lines().map(({ repeated }) => repeated)).to.deep.equal([undefined, 9]);
    });

    it('OP-4 writes a line that differs in level, message, field or error', () => {
      const { log, lines } = recorded();
      const rare = log.onceIn(1000);
      rare.error('a', { x: 1 });
      rare.warn('a', { x: 1 });
      rare.error('b', { x: 1 });
      rare.error('a', { x: 2 });
      rare.error('a', { x: new Error('1') });
      rare.error('a', { x: new Error('2') });
      rare.error('a', { x: new Error('2', { cause: 3n }) });
      rare.error('a', { x: 1 });
      expect(lines()).to.have.length(7);
    });

    it('forgets the oldest of very many lines', () => {
      const { log, lines } = recorded();
      const rare = log.onceIn(1000);
      for (let x = 0; x <= 1000; x++) rare.info('a', { x });
      rare.info('a', { x: 1000 });
      rare.info('a', { x: 0 });
      expect(lines()).to.have.length(1002);
    });

    it('has children that count for themselves, with their fields', () => {
      const { log, lines } = recorded();
      const rare = log.onceIn(1000);
      for (const pod of ['x', 'y', 'x']) rare.child({ pod }).info('a');
      const child = rare.child({ pod: 'z' });
      child.info('a');
      child.info('a');
      expect(lines().map(({ pod }) => pod)).to.deep.equal(['x', 'y', 'x', 'z']);
    });
  });
});

function recorded(level: LogLevel = 'info') {
  const written: string[] = [];
  let nowMs = 0;
  const log = createLog({
    level,
    write: (line) => written.push(line),
    now: () => Date.parse('2026-08-06T09:49:44Z'),
    clock: () => nowMs,
  });
  return {
    log,
    text: () => written.join(''),
    lines: () => written.map((line): Record<string, unknown> => JSON.parse(line)),
    tick: (ms: number) => {
      nowMs += ms;
    },
  };
}
