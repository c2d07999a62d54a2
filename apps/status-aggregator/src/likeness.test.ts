import { expect } from 'chai';
import { likeness } from './likeness.ts';

const A = { name: 'ratify-7d9f8c5b6d-x2k4p', uid: '6d0c1111-0000-4000-8000-000000000001' };
const B = { name: 'ratify-0', uid: '91af2222-0000-4000-8000-000000000002' };

/** What pod A and pod B say of the same fault. */
const SAME: readonly (readonly [string, string])[] = [
  ['no key', 'no key'],
  [`pod ${A.name} has no identity`, `pod ${B.name} has no identity`],
  [`in ${A.name}: in ${A.name}: no key`, `in ${B.name}: in ${B.name}: no key`],
  [`pod uid ${A.uid} is unknown`, `pod uid ${B.uid} is unknown`],
  ['peer ratify-7d9f8c5b6d-qq2fz said no', 'peer ratify-5c4bb7d8f9-w9xvk said no'],
  ['failed at 2026-08-06T09:49:44Z', 'failed at 2026-08-07T10:00:01Z'],
  ['failed at 2026-08-06T09:49:44.123456789Z', 'failed at 2026-08-06T09:49:45Z'],
  ['failed at 2026-08-06T09:49:44+02:00', 'failed at 2026-08-06T07:49:44Z'],
  ['failed at 2026-08-06 09:49:44', 'failed at 2026-08-06 10:11:12'],
  ['failed at 2026-08-06 09:49:44 UTC', 'failed at 2026-08-06 10:11:12 UTC'],
  ['Date: Thu, 06 Aug 2026 09:49:44 GMT', 'Date: Fri, 07 Aug 2026 01:02:03 GMT'],
  ['clock says 09:49:44', 'clock says 23:00:01'],
  ['clock says 09:49:44.001', 'clock says 23:00:01.5'],
  ['timed out after 10.004s', 'timed out after 9.998s'],
  ['timed out after 1m30s', 'timed out after 1m31.5s'],
  ['timed out after 950ms', 'timed out after 1.2s'],
  ['Retry-After: 30s', 'Retry-After: 12s'],
  ['took 812µs', 'took 9µs'],
  [
    'request 6f1d0000-1111-4222-8333-444455556666 denied',
    'request 00aa0000-1111-4222-8333-444455556666 denied',
  ],
  [
    'request 6F1D0000-1111-4222-8333-444455556666 denied',
    'request 6f1d0000-1111-4222-8333-444455556667 denied',
  ],
  ['Trace ID: 0af7651916cd43dd8448eb211c80319c', 'Trace ID: 4bf92f3577b34da6a3ce929d0e0e4736'],
  ['correlation 0x1f2e3d4c', 'correlation 0x99aabbcc'],
  ['x-ms-request-id=4f3a2b1c9d', 'x-ms-request-id=0a1b2c3d4e'],
  ['dial tcp 10.244.1.5:43210->20.1.2.3:443: refused', 'dial tcp 10.244.2.9:51000->20.1.2.3:443: refused'],
  ['read tcp [fd00::5]:43210->[fd00::1]:443: reset', 'read tcp [fd00::9]:50001->[fd00::1]:443: reset'],
  ['connect ECONNREFUSED 127.0.0.1:43211', 'connect ECONNREFUSED 127.0.0.1:50123'],
  ['proxy.example:31280 does not answer', 'proxy.example:31281 does not answer'],
  ['https://vault.example:8443/keys does not answer', 'https://vault.example:443/keys does not answer'],
  ['process 48213 ended', 'process 11009 ended'],
  ['sequence 1234567 lost', 'sequence 7654321 lost'],
  [
    `${A.name} at 2026-08-06T09:49:44Z: request 6f1d0000-1111-4222-8333-444455556666`,
    `${B.name} at 2026-08-06T09:50:00Z: request 91af0000-1111-4222-8333-444455556666`,
  ],
  [`lookup vault on 10.96.0.10:53 by ${A.name}`, `lookup vault on 10.96.0.10:53 by ${B.name}`],
];

/** What are two faults. */
const DIFFERENT: readonly (readonly [string, string])[] = [
  ['no key', 'no certificate'],
  ['HTTP 403', 'HTTP 429'],
  ['HTTP 500', 'HTTP 503'],
  ['cannot reach vault-a.example', 'cannot reach vault-b.example'],
  ['cannot reach 10.0.0.1', 'cannot reach 10.0.0.2'],
  ['/certs/ca.pem is empty', '/certs/tsa.pem is empty'],
  ['$.verifiers[0].name is missing', '$.verifiers[1].name is missing'],
  ['$.stores[0]: wrong type', '$.verifiers[0]: wrong type'],
  ['certificate 1 of 3 is no CA', 'certificate 2 of 3 is no CA'],
  ['executor team-a blocks', 'executor team-b blocks'],
  ['key default is missing', 'key defaced is missing'],
  ['deadbeef', 'feedface'],
  ['CN=ca-one', 'CN=ca-two'],
  ['secret/name/v1', 'secret/name/v2'],
  ['type rsa', 'type dsa'],
  ['expected 2 stores', 'expected 3 stores'],
  ['scope a.example/repo', 'scope b.example/repo'],
  ['unknown field "scopes"', 'unknown field "stores"'],
];

describe('likeness', () => {
  it('AG-6: the table holds 50 pairs', () => {
    expect(SAME.length + DIFFERENT.length).to.be.at.least(50);
  });
  for (const [a, b] of SAME) {
    it(`AG-6: takes "${a}" and "${b}" for one fault`, () => {
      expect(likeness(a, A)).to.equal(likeness(b, B));
    });
  }
  for (const [a, b] of DIFFERENT) {
    it(`AG-6: keeps "${a}" and "${b}" apart`, () => {
      expect(likeness(a, A)).not.to.equal(likeness(b, B));
    });
  }
  it('comes to an end soon with a long and hostile text', () => {
    const hostile = ['a1', 'a-', '1.', ':', '1s', '0:', 'x-b'].map((unit) => unit.repeat(2000)).join(' ');
    // The test's own time limit is the measure: nested repetition would take for ever.
    expect(likeness(hostile, A)).to.contain('<');
  });
});
