/**
 * The key of an object within its kind: `namespace/name`, or `name` where there is no namespace.
 * One-to-one, since neither part can hold a slash.
 */
export function objectKey(object: { readonly namespace?: string; readonly name: string }): string {
  return object.namespace ? `${object.namespace}/${object.name}` : object.name;
}
