import { MisconfigurationError } from '@executor-status/process';
import { expect } from 'chai';
import { type Caller, type ClaimedIdentity, verifyIdentity } from './identity.ts';

describe('verifyIdentity (ID-9)', () => {
  const claimed: ClaimedIdentity = {
    podName: 'ratify-0',
    podUid: 'uid-0',
    podNamespace: 'ratify',
    nodeName: 'node-1',
  };
  const caller: Caller = {
    username: 'system:serviceaccount:ratify:ratify-admin',
    extra: {
      'authentication.kubernetes.io/pod-name': ['ratify-0'],
      'authentication.kubernetes.io/pod-uid': ['uid-0'],
    },
  };

  it('takes the identity that the token confirms', () => {
    expect(verifyIdentity(claimed, caller)).to.deep.equal({
      namespace: 'ratify',
      name: 'ratify-0',
      uid: 'uid-0',
      nodeName: 'node-1',
    });
  });

  it('does without a node name', () => {
    expect(verifyIdentity({ ...claimed, nodeName: undefined }, caller)).not.to.have.property('nodeName');
  });

  const refused: Record<string, { claimed?: Partial<ClaimedIdentity>; caller?: Caller; names: string }> = {
    'refuses an absent POD_NAME': { claimed: { podName: undefined }, names: 'POD_NAME is not set' },
    'refuses an empty POD_UID': { claimed: { podUid: '' }, names: 'POD_UID is not set' },
    'refuses an absent POD_NAMESPACE': {
      claimed: { podNamespace: undefined },
      names: 'POD_NAMESPACE is not set',
    },
    'refuses the name of another pod': { claimed: { podName: 'ratify-1' }, names: 'POD_NAME is "ratify-1"' },
    'refuses the uid of another pod': { claimed: { podUid: 'uid-1' }, names: 'POD_UID is "uid-1"' },
    'refuses another namespace': {
      claimed: { podNamespace: 'default' },
      names: 'POD_NAMESPACE is "default"',
    },
    'refuses a token that is not bound to a pod': {
      caller: { username: 'system:serviceaccount:ratify:ratify-admin' },
      names: 'not bound to a pod',
    },
    'refuses a user that is no service account': {
      caller: { ...caller, username: 'admin' },
      names: 'POD_NAMESPACE is "ratify"',
    },
  };

  for (const [name, tc] of Object.entries(refused)) {
    it(name, () => {
      expect(() => verifyIdentity({ ...claimed, ...tc.claimed }, tc.caller ?? caller)).to.throw(
        MisconfigurationError,
        tc.names,
      );
    });
  }
});
