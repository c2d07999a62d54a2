import type { ReportStatus } from '@executor-status/api';
import { expect } from 'chai';
import { report } from '../../../test/support/builders.ts';
import { failureWords, warningWords } from './report-words.ts';

describe('failureWords', () => {
  const failed = statusOf({ error: 'no key in pod-a', reason: 'CredentialsInvalid' });

  it('SC-2: works a report out once, however often it is looked at', () => {
    expect(failureWords(failed, A)).to.equal(failureWords(failed, A));
    expect(warningWords(failed, A)).to.equal(warningWords(failed, A));
  });

  it('works it out again for another pod', () => {
    const other = { name: 'pod-b', uid: 'uid-of-pod-b' };
    expect(failureWords(failed, A)).to.include({ key: 'CredentialsInvalid no key in <pod>' });
    expect(failureWords(failed, other)).to.include({ key: 'CredentialsInvalid no key in pod-a' });
  });

  it('says as much as the report does', () => {
    const { error: _error, ...brief } = failed;
    expect(failureWords({ ...brief, briefError: 'brief' }, A)).to.include({
      error: 'brief',
      briefError: 'brief',
    });
    const { briefError: _brief, ...bare } = brief;
    expect(failureWords(bare, A)).to.include({
      error: 'CredentialsInvalid',
      briefError: 'CredentialsInvalid',
    });
  });
});

const A = { name: 'pod-a', uid: 'uid-of-pod-a' };

function statusOf(fields: Parameters<typeof report>[0]): ReportStatus {
  const { status } = report(fields);
  if (status === undefined) throw new Error('the report is silent');
  return status;
}
