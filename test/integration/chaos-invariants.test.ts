import { EXECUTOR_PLURALS, REPORT_PLURAL, reportName } from '@executor-status/api';
import { expect } from 'chai';
import {
  type Background,
  type Cast,
  claimCount,
  earlyClaims,
  foreignWrites,
  writesWithoutLease,
} from '../support/chaos/invariants.ts';
import type { AuditEntry } from '../support/control-plane.ts';
import { refOf } from './executor-manifest.ts';

const CAST: Cast = {
  writer: 'writer',
  aggregator: 'aggregator',
  pods: [
    { name: 'ratify-0', uid: 'pod-0' },
    { name: 'ratify-1', uid: 'pod-1' },
  ],
};
const BACKGROUND: Background = { uidAt: () => 'uid-1', mayBeUnlogged: () => false };

type Rows = Record<string, { readonly log: readonly AuditEntry[]; readonly breaches: number }>;

describe('foreignWrites, which holds an audit log to WP-1', () => {
  const rows: Rows = {
    'lets a writer make, change and remove its own report': {
      log: [reported(0), reported(0, { verb: 'delete', subresource: '' }), reported(1)],
      breaches: 0,
    },
    'lets a writer ask who it is, and read': {
      log: [
        entry({ user: 'writer', verb: 'create', resource: 'selfsubjectreviews' }),
        entry({ user: 'writer', verb: 'watch', resource: 'executors' }),
      ],
      breaches: 0,
    },
    'finds a write to the report of another pod': { log: [reported(0, { ...by('pod-1') })], breaches: 1 },
    'finds one that was refused, too': { log: [reported(0, { ...by('pod-1'), code: 403 })], breaches: 1 },
    'finds a write to the status of an executor': {
      log: [entry({ user: 'writer', ...by('pod-0'), resource: 'executors', subresource: 'status' })],
      breaches: 1,
    },
    'finds a removal of all reports': {
      log: [entry({ user: 'writer', ...by('pod-0'), verb: 'deletecollection', resource: REPORT_PLURAL })],
      breaches: 1,
    },
    'finds a conflict': { log: [reported(0, { code: 409 })], breaches: 1 },
    'does not take the pod ratify-0-1 for ratify-0': {
      log: [reported(0, { name: reportName('ratify-0-1', refOf('policy', 'ns')) })],
      breaches: 1,
    },
  };
  for (const [name, { log, breaches }] of Object.entries(rows)) {
    it(name, () => expect(foreignWrites(log, CAST)).to.have.length(breaches));
  }
});

describe('writesWithoutLease, which holds an audit log to HA-1', () => {
  const rows: Rows = {
    'lets the holder of the Lease write, and the next one after it': {
      log: [lease('a', 1), stated('a', 2), lease('a', 3), lease('b', 20), stated('b', 21), stated('b', 22)],
      breaches: 0,
    },
    'finds a write before anybody had the Lease': { log: [stated('a', 1), lease('a', 2)], breaches: 1 },
    'finds a write of the former holder between two of the next': {
      log: [lease('a', 1), stated('a', 2), lease('b', 20), stated('b', 21), stated('a', 22), stated('b', 23)],
      breaches: 1,
    },
    'goes by when requests came, not by when they were answered': {
      log: [lease('a', 1), lease('b', 20), stated('a', 19), stated('b', 21)],
      breaches: 0,
    },
    'does not count a try for the Lease that failed': {
      log: [lease('a', 1), lease('b', 20, { code: 409 }), stated('b', 21)],
      breaches: 1,
    },
    'does not count a write that was not stored': {
      log: [lease('a', 1), lease('b', 20), stated('a', 21, { code: 409 })],
      breaches: 0,
    },
    'lets a former holder come back through the Lease': {
      log: [lease('a', 1), lease('b', 20), lease('a', 40), stated('a', 41)],
      breaches: 0,
    },
  };
  for (const [name, { log, breaches }] of Object.entries(rows)) {
    it(name, () => expect(writesWithoutLease(log, CAST)).to.have.length(breaches));
  }
});

describe('earlyClaims, which holds an audit log to AG-2', () => {
  const both = (at: number, fields: Said = {}) => [0, 1].map((pod) => reported(pod, { at }, fields));
  const rows: Rows = {
    'lets a status claim what all pods have reported': {
      log: [...both(1), claimed({ at: 2 })],
      breaches: 0,
    },
    'lets it keep the claim of an older generation': {
      log: [...both(1), claimed({ at: 2 }), ...both(3, { generation: 2 }), claimed({ at: 4 })],
      breaches: 0,
    },
    'finds both claims of a pod that had not reported': {
      log: [reported(0, { at: 1 }), claimed({ at: 2 }), reported(1, { at: 3 })],
      breaches: 2,
    },
    'finds a success that is claimed without Ready': {
      log: [reported(0, { at: 1 }), claimed({ at: 2, ready: 'Unknown' })],
      breaches: 1,
    },
    'finds a Ready that is True without a success': {
      log: [reported(0, { at: 1 }), claimed({ at: 2, succeeded: false })],
      breaches: 1,
    },
    'finds a claim of a generation of which a pod had reported a failure': {
      log: [reported(0, { at: 1 }), reported(1, { at: 1 }, { succeeded: false }), claimed({ at: 2 })],
      breaches: 2,
    },
    'finds a claim of a newer generation than was reported': {
      log: [...both(1), claimed({ at: 2, generation: 2 })],
      breaches: 2,
    },
    'finds a claim by what was said of an earlier executor of the name': {
      log: [...both(1, { uid: 'uid-0' }), claimed({ at: 2 })],
      breaches: 2,
    },
    'does not count a report that was not stored': {
      log: [reported(0, { at: 1 }), reported(1, { at: 1, code: 403 }), claimed({ at: 2 })],
      breaches: 2,
    },
    'has nothing against a status that claims nothing': {
      log: [claimed({ at: 2, succeeded: false, ready: 'False' })],
      breaches: 0,
    },
  };
  for (const [name, { log, breaches }] of Object.entries(rows)) {
    it(name, () => expect(earlyClaims(log, CAST, BACKGROUND)).to.have.length(breaches));
  }

  it('excuses a report that was on its way when the API server was killed, and no other', () => {
    const log = [reported(0, { at: 1 }), claimed({ at: 2 })];
    const excusing = (excused: string) => ({
      ...BACKGROUND,
      mayBeUnlogged: (report: string) => report === reportName(excused, refOf('policy', 'ns')),
    });
    expect(earlyClaims(log, CAST, excusing('ratify-1'))).to.deep.equal([]);
    expect(earlyClaims(log, CAST, excusing('ratify-0'))).to.have.length(2);
  });

  it('counts the claims, so that a log without any is not taken for a right one', () => {
    expect(claimCount([claimed({ at: 1 }), claimed({ at: 2, ready: 'False' })], CAST)).to.equal(3);
  });
});

interface Said {
  readonly uid?: string;
  readonly generation?: number;
  readonly succeeded?: boolean;
}

/** What the pod with this number wrote about its report of the executor `policy`. */
function reported(pod: number, fields: Partial<AuditEntry> = {}, said: Said = {}): AuditEntry {
  const { uid = 'uid-1', generation = 1, succeeded = true } = said;
  return entry({
    user: 'writer',
    ...by(`pod-${pod}`),
    resource: REPORT_PLURAL,
    subresource: 'status',
    name: reportName(`ratify-${pod}`, refOf('policy', 'ns')),
    body: { status: { executorUID: uid, executorGeneration: generation, succeeded } },
    ...fields,
  });
}

function lease(pod: string, at: number, fields: Partial<AuditEntry> = {}): AuditEntry {
  return entry({ user: 'aggregator', ...by(pod), verb: 'update', resource: 'leases', at, ...fields });
}

/** An aggregator's write to the status of the executor `policy`. */
function stated(pod: string, at: number, fields: Partial<AuditEntry> = {}): AuditEntry {
  return entry({
    user: 'aggregator',
    ...by(pod),
    resource: EXECUTOR_PLURALS.NamespacedExecutor,
    subresource: 'status',
    namespace: 'ns',
    name: 'policy',
    at,
    ...fields,
  });
}

interface Claimed {
  readonly at: number;
  readonly generation?: number;
  readonly succeeded?: boolean;
  readonly ready?: string;
}

function claimed({ at, generation = 1, succeeded = true, ready = 'True' }: Claimed): AuditEntry {
  const conditions = [
    { type: 'Ready', status: ready, observedGeneration: generation },
    { type: 'Reconciling', status: 'True', observedGeneration: 9 },
  ];
  return stated('a', at, { body: { status: { succeeded, observedGeneration: generation, conditions } } });
}

function by(podUid: string): Pick<AuditEntry, 'extra'> {
  return { extra: { 'authentication.kubernetes.io/pod-uid': [podUid] } };
}

function entry(fields: Partial<AuditEntry>): AuditEntry {
  return {
    at: 0,
    verb: 'patch',
    user: '',
    extra: {},
    apiGroup: '',
    resource: '',
    subresource: '',
    namespace: '',
    name: '',
    code: 200,
    uri: '',
    userAgent: '',
    body: undefined,
    ...fields,
  };
}
