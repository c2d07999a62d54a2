/**
 * The `Accept` header that asks for apiVersion, kind and metadata only; for a list of objects, or for one object or a
 * watch.
 */
export function partialMetadata(of: 'list' | 'object'): string {
  const kind = of === 'list' ? 'PartialObjectMetadataList' : 'PartialObjectMetadata';
  return `application/json;as=${kind};g=meta.k8s.io;v=v1`;
}
