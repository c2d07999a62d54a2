/** A request as the proxy sees it, in the words of the API server's audit log. */
export interface SeenRequest {
  /** `get`, `list`, `watch`, `create`, `update`, `patch`, `delete`, `deletecollection`. */
  readonly verb: string;
  /** The plural name; for what is no resource, the path. */
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  /** Who asks: the pod, else the user of a token; `''` without one. */
  readonly client: string;
  /** The id of its token: another one after each rotation. */
  readonly token: string;
  /** Whether it asks for `PartialObjectMetadata`. */
  readonly metadataOnly: boolean;
  readonly query: Readonly<Record<string, string>>;
}

/** What of a request is to be equal; absent members do not matter. */
export type Match = Partial<Omit<SeenRequest, 'query'>>;

/** Whether a request is meant. */
export function isMeant(request: SeenRequest, match: Match): boolean {
  return Object.entries(match).every(([field, want]) => request[field as keyof Match] === want);
}

/** The verb and what it is about, without names: `patch executorpodstatuses/status`. */
export function requestKind({ verb, resource, subresource }: SeenRequest): string {
  return `${verb} ${resource}${subresource && `/${subresource}`}`;
}

/** What of a request line and its headers is looked at. */
export interface RequestHead {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly authorization: string | undefined;
  readonly accept: string | undefined;
}

/** Finds out what a request is about. */
export function seenRequest({ method, url, authorization, accept = '' }: RequestHead): SeenRequest {
  const { pathname, searchParams } = new URL(url, 'https://api');
  const target = targetOf(pathname);
  return {
    verb: verbOf(method, target.name !== '', searchParams.get('watch') === 'true'),
    ...target,
    ...bearerOf(authorization),
    metadataOnly: accept.includes('as=PartialObjectMetadata'),
    query: Object.fromEntries(searchParams),
  };
}

function targetOf(path: string): Pick<SeenRequest, 'resource' | 'subresource' | 'namespace' | 'name'> {
  const found =
    /^\/(?:api|apis\/[^/]+)\/[^/]+(?:\/namespaces\/(?<namespace>[^/]+))?\/(?<resource>[^/]+)(?:\/(?<name>[^/]+))?(?:\/(?<subresource>[^/]+))?$/.exec(
      path,
    )?.groups;
  const { resource = path, subresource = '', namespace = '', name = '' } = found ?? {};
  return { resource, subresource, namespace, name: decodeURIComponent(name) };
}

function verbOf(method: string, named: boolean, watch: boolean): string {
  switch (method) {
    case 'GET':
      return watch ? 'watch' : named ? 'get' : 'list';
    case 'POST':
      return 'create';
    case 'PUT':
      return 'update';
    case 'DELETE':
      return named ? 'delete' : 'deletecollection';
    default:
      return method.toLowerCase();
  }
}

interface Claims {
  readonly jti?: string;
  readonly sub?: string;
  readonly 'kubernetes.io'?: { readonly pod?: { readonly name?: string } };
}

function bearerOf(authorization: string | undefined): Pick<SeenRequest, 'client' | 'token'> {
  const { jti = '', sub = '', 'kubernetes.io': kubernetes } = claimsOf(authorization);
  return { client: kubernetes?.pod?.name ?? sub, token: jti };
}

function claimsOf(authorization: string | undefined): Claims {
  const payload = /^Bearer [^.]+\.([^.]+)\./.exec(authorization ?? '')?.[1];
  try {
    return JSON.parse(Buffer.from(payload ?? '', 'base64url').toString('utf8')) as Claims;
  } catch {
    return {}; // No token of a ServiceAccount: whoever it is has no name.
  }
}
