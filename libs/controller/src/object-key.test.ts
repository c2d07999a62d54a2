import { expect } from 'chai';
import { objectKey } from './object-key.ts';

describe('objectKey', () => {
  it('is the name where there is no namespace', () => {
    expect(objectKey({ name: 'default' })).to.equal('default');
  });

  it('begins with the namespace where there is one', () => {
    expect(objectKey({ namespace: 'shop', name: 'default' })).to.equal('shop/default');
  });

  it('takes an empty namespace for none', () => {
    expect(objectKey({ namespace: '', name: 'default' })).to.equal('default');
  });
});
