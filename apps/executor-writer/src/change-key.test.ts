import { REFRESH_ANNOTATION } from '@executor-status/api';
import { expect } from 'chai';
import { type ChangeKeyed, changeKey } from './change-key.ts';

describe('changeKey', () => {
  const metadata = { uid: 'u1', generation: 3, annotations: { [REFRESH_ANNOTATION]: 'a' } };
  const key = changeKey({ metadata });

  const cases: Record<
    string,
    { metadata: ChangeKeyed['metadata'] & Record<string, unknown>; same: boolean }
  > = {
    'ignores labels, other annotations and the resource version (FB-1)': {
      metadata: {
        ...metadata,
        labels: { a: 'b' },
        annotations: { ...metadata.annotations, other: 'x' },
        resourceVersion: '9',
      },
      same: true,
    },
    'sees an edit of the spec': { metadata: { ...metadata, generation: 4 }, same: false },
    'sees that an executor was made anew with the same generation (RP-7)': {
      metadata: { ...metadata, uid: 'u2' },
      same: false,
    },
    'sees a new refresh annotation (FB-7)': {
      metadata: { ...metadata, annotations: { [REFRESH_ANNOTATION]: 'b' } },
      same: false,
    },
    'sees that the refresh annotation is gone': { metadata: { uid: 'u1', generation: 3 }, same: false },
  };

  for (const [name, tc] of Object.entries(cases)) {
    it(name, () => expect(changeKey(tc) === key).to.equal(tc.same));
  }
});
