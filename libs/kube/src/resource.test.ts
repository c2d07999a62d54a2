import { expect } from 'chai';
import {
  apiVersion,
  describeTarget,
  EVENT,
  executorResource,
  POD,
  reportResource,
  resourcePath,
} from './resource.ts';

describe('a resource', () => {
  const executors = executorResource('Executor');
  const paths: Record<string, [got: string, want: string]> = {
    'a core object': [resourcePath(POD, { namespace: 'a', name: 'p' }), '/api/v1/namespaces/a/pods/p'],
    'a core collection of all namespaces': [resourcePath(POD), '/api/v1/pods'],
    'a collection of one namespace': [
      resourcePath(EVENT, { namespace: 'a' }),
      '/apis/events.k8s.io/v1/namespaces/a/events',
    ],
    'a cluster object': [
      resourcePath(executors, { name: 'default' }),
      '/apis/config.ratify.sh/v2alpha1/executors/default',
    ],
    'a cluster object, whatever namespace is named': [
      resourcePath(executors, { namespace: 'a', name: 'default' }),
      '/apis/config.ratify.sh/v2alpha1/executors/default',
    ],
    'a status': [
      resourcePath(reportResource(), { namespace: 'a', name: 'r' }, 'status'),
      '/apis/status.ratify.sh/v1alpha1/namespaces/a/executorpodstatuses/r/status',
    ],
    'a name that would leave its place': [
      resourcePath(POD, { namespace: '../x', name: 'a/b?c' }),
      '/api/v1/namespaces/..%2Fx/pods/a%2Fb%3Fc',
    ],
  };
  for (const [name, [got, want]] of Object.entries(paths)) {
    it(`has a path for ${name}`, () => {
      expect(got).to.equal(want);
    });
  }

  it('has an apiVersion with and without a group', () => {
    expect([apiVersion(POD), apiVersion(executors)]).to.deep.equal(['v1', 'config.ratify.sh/v2alpha1']);
  });

  it('takes the group of older clusters', () => {
    expect(apiVersion(executorResource('NamespacedExecutor', 'config.ratify.dev'))).to.equal(
      'config.ratify.dev/v2alpha1',
    );
  });

  it('is named in messages by what is known of it', () => {
    expect([
      describeTarget(POD, { namespace: 'a', name: 'p' }),
      describeTarget(POD, { namespace: 'a' }),
      describeTarget(executors, { name: 'default' }),
      describeTarget(executors),
    ]).to.deep.equal(['Pod a/p', 'pods a', 'Executor default', 'executors']);
  });
});
