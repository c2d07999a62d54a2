/** Lets callers go on one by one, each in a round of the event loop of its own, so that what is short stays short in a row. */
export function inTurn(): () => Promise<void> {
  let last = Promise.resolve();
  return () => {
    const mine = last.then(nextRound);
    last = mine;
    return mine;
  };
}

/** The next round of the event loop: whatever has happened meanwhile comes first. */
export const nextRound = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
