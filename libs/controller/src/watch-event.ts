/** What a watch says: first the whole world, then one change at a time. */
export type WatchEvent<T> =
  | {
      readonly kind: 'synced';
      readonly objects: readonly T[];
      /** The version of the collection that this list shows; absent when the source does not know one. */
      readonly resourceVersion?: string;
    }
  | { readonly kind: 'applied' | 'deleted'; readonly object: T };

/** The part of a Kubernetes object that this library looks at. */
export interface KubeObject {
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly uid?: string;
    readonly resourceVersion?: string;
    readonly generation?: number;
  };
}
