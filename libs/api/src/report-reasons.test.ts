import { expect } from 'chai';
import { CONDITIONS, isOwnCondition } from './conditions.ts';
import { isReportReason, REPORT_REASONS } from './report-reasons.ts';

/** What Kubernetes takes as a reason. */
const REASON = /^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$/;

describe('REPORT_REASONS', () => {
  for (const [reason, meaning] of Object.entries(REPORT_REASONS)) {
    it(`WP-9 has ${reason} as a legal word of at most 64 characters with a meaning`, () => {
      expect(reason).to.match(REASON).and.have.length.at.most(64);
      expect(meaning).to.match(/^[A-Z].+\.$/);
    });
  }

  it('WP-9 is the closed set of the design', () => {
    expect(Object.keys(REPORT_REASONS)).to.have.members([
      'Built',
      'ConfigInvalid',
      'CredentialsInvalid',
      'ProviderUnreachable',
      'ProviderThrottled',
      'ProviderDenied',
      'CredentialsExpired',
      'IdentityNotInjected',
      'BuildTimedOut',
      'BuildFailed',
    ]);
  });

  it('WP-9 knows its own words and no others', () => {
    expect(isReportReason('BuildFailed')).to.equal(true);
    for (const other of ['buildFailed', 'constructor', 'toString', '', undefined, 1]) {
      expect(isReportReason(other), String(other)).to.equal(false);
    }
  });
});

describe('CONDITIONS', () => {
  for (const [type, reasons] of Object.entries(CONDITIONS)) {
    it(`WP-9 has legal reasons for ${type}, each once`, () => {
      expect(type).to.match(/^[A-Za-z]+$/);
      for (const reason of reasons) expect(reason).to.match(REASON).and.have.length.at.most(64);
      expect(new Set(reasons).size).to.equal(reasons.length);
    });
  }

  it('tells the condition types of this project from those of others', () => {
    expect(isOwnCondition('Ready')).to.equal(true);
    expect(isOwnCondition('Synced')).to.equal(false);
    expect(isOwnCondition('constructor')).to.equal(false);
  });
});
