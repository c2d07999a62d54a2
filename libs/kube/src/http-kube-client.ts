import type { Clock } from './clock.ts';
import type {
  ApplyOptions,
  ByteStream,
  CallOptions,
  KubeClient,
  KubeRequest,
  ListOptions,
  ObjectList,
  ReadOptions,
  RemoveTarget,
  Self,
  Sent,
} from './kube-client.ts';
import { KubeError } from './kube-error.ts';
import { listPages } from './list-pages.ts';
import { partialMetadata } from './partial-metadata.ts';
import { apiVersion, describeTarget, type ObjectRef, type Resource, resourcePath } from './resource.ts';
import type { Wire } from './wire.ts';

/** The API server over HTTP: which request each call is, and what its refusals mean. */
export class HttpKubeClient implements KubeClient {
  readonly clock: Clock;
  readonly close: () => Promise<void>;
  readonly #wire: Wire;

  constructor(wire: Wire, options: Pick<KubeClient, 'clock' | 'close'>) {
    this.#wire = wire;
    this.clock = options.clock;
    this.close = options.close;
  }

  request<T>(request: KubeRequest): Promise<T> {
    return this.#wire.request<T>(request);
  }

  open(request: KubeRequest): Promise<ByteStream> {
    return this.#wire.open(request);
  }

  async get<T>(resource: Resource, ref: ObjectRef, options: ReadOptions = {}): Promise<T | undefined> {
    const { metadataOnly = false, ...call } = options;
    const accept = metadataOnly && { accept: partialMetadata('object') };
    const read = this.request<T>({ ...call, ...about(resource, ref, 'get'), method: 'GET', ...accept });
    return read.catch((error: unknown) => {
      if (error instanceof KubeError && error.missing === 'object') return undefined;
      throw error;
    });
  }

  async list<T>(resource: Resource, options: ListOptions = {}): Promise<ObjectList<T>> {
    let items: T[] = [];
    let resourceVersion = '';
    for await (const page of listPages<T>(this, resource, options)) {
      if (page.first) items = [];
      // One by one: spread into push, 200,000 of them overflow the stack.
      for (const one of page.items) items.push(one);
      resourceVersion = page.resourceVersion;
    }
    return { items, resourceVersion };
  }

  create<T>(resource: Resource, object: Sent, options?: CallOptions): Promise<T> {
    const { namespace } = object.metadata;
    const path = resourcePath(resource, namespace === undefined ? {} : { namespace });
    return this.request({ ...options, ...writing(resource, object, 'create'), path, method: 'POST' });
  }

  replace<T>(resource: Resource, object: Sent, options?: CallOptions): Promise<T> {
    return this.request({ ...options, ...writing(resource, object, 'replace'), method: 'PUT' });
  }

  apply<T>(resource: Resource, object: Sent, options: ApplyOptions): Promise<T> {
    const { fieldManager, subresource, ...call } = options;
    return this.request({
      ...call,
      ...writing(resource, object, 'apply'),
      method: 'PATCH',
      path: resourcePath(resource, object.metadata, subresource),
      query: { fieldManager, force: true },
      // JSON is YAML.
      contentType: 'application/apply-patch+yaml',
    });
  }

  async remove(resource: Resource, target: RemoveTarget, options?: CallOptions): Promise<boolean> {
    const { uid, resourceVersion, ...ref } = target;
    const preconditions = { ...(uid && { uid }), ...(resourceVersion && { resourceVersion }) };
    const body = { apiVersion: 'v1', kind: 'DeleteOptions', preconditions };
    const removed = this.request({ ...options, ...about(resource, ref, 'delete'), method: 'DELETE', body });
    return removed.then(
      () => true,
      (error: unknown) => {
        if (isGone(error, target)) return false;
        throw error;
      },
    );
  }

  async selfSubjectReview(options?: CallOptions): Promise<Self> {
    const review = await this.request<{ readonly status: { readonly userInfo: Self } }>({
      ...options,
      method: 'POST',
      path: '/apis/authentication.k8s.io/v1/selfsubjectreviews',
      body: { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' },
      verb: 'create',
      target: 'SelfSubjectReview',
      resource: 'selfsubjectreviews',
    });
    return review.status.userInfo;
  }
}

function writing(resource: Resource, object: Sent, verb: string) {
  return {
    ...about(resource, object.metadata, verb),
    body: { ...object, apiVersion: apiVersion(resource), kind: resource.kind },
  };
}

function about(resource: Resource, ref: ObjectRef, verb: string) {
  return {
    path: resourcePath(resource, ref),
    verb,
    target: describeTarget(resource, ref),
    resource: resource.plural,
  };
}

function isGone(error: unknown, { uid, resourceVersion }: RemoveTarget): boolean {
  if (!(error instanceof KubeError)) return false;
  const other = error.code === 409 && uid !== undefined && !resourceVersion && OTHER_UID.test(error.message);
  return error.missing === 'object' || other;
}

/**
 * How the API server says that the object of this name is another one, before and within the transaction. Any other
 * conflict says nothing about the object.
 *
 * @see k8s.io/apiserver, pkg/registry/rest/delete.go, `BeforeDelete`, and pkg/storage/interfaces.go, `Preconditions.Check`.
 */
const OTHER_UID = /UID in (?:the )?precondition/;
