import { defer, filter, type MonoTypeOperatorFunction } from 'rxjs';
import type { KubeObject, WatchEvent } from './watch-event.ts';

/** What {@link whenChanged} looks at; `undefined` means that the object does not have it. */
export type Property<T> = (object: T) => string | number | undefined;

/**
 * Drops an `applied` event when `property` is what it was the last time that object was seen.
 * Passes every `synced` and `deleted`, and every object that lacks the property.
 */
export function whenChanged<T extends KubeObject>(
  property: Property<T>,
): MonoTypeOperatorFunction<WatchEvent<T>> {
  return (events) =>
    defer(() => {
      let lastSeen = new Map<string, string | number | undefined>();
      return events.pipe(
        filter((event) => {
          switch (event.kind) {
            case 'synced':
              lastSeen = new Map(event.objects.map((object) => [uidOf(object), property(object)]));
              return true;
            case 'deleted':
              lastSeen.delete(uidOf(event.object));
              return true;
            case 'applied': {
              const uid = uidOf(event.object);
              const value = property(event.object);
              const changed = value === undefined || value !== lastSeen.get(uid);
              lastSeen.set(uid, value);
              return changed;
            }
          }
        }),
      );
    });
}

/** For kinds with a status subresource: rises with the spec, never with the status. */
export const generation: Property<KubeObject> = (object) => object.metadata.generation;

const uidOf = (object: KubeObject) => object.metadata.uid ?? '';
