import { Observable, type Subscriber } from 'rxjs';

/**
 * An async generator as a stream: it starts when subscribed, and its signal is aborted when unsubscribed, so that it ends
 * whatever it waits for. Each subscriber gets a run of its own.
 */
export function abortableStream<T>(run: (signal: AbortSignal) => AsyncIterable<T>): Observable<T> {
  return new Observable<T>((subscriber) => {
    const stop = new AbortController();
    void pump(run(stop.signal), subscriber);
    return () => stop.abort();
  });
}

/** Never rejects: what goes wrong goes to the subscriber, or to nobody once it has left. */
async function pump<T>(values: AsyncIterable<T>, subscriber: Subscriber<T>): Promise<void> {
  try {
    for await (const value of values) {
      if (subscriber.closed) return;
      subscriber.next(value);
    }
    subscriber.complete();
  } catch (error) {
    subscriber.error(error);
  }
}
