/** Something of which nothing can be had but what is given here: whatever else is asked for is an error. */
export function closedList<T>(parts: object): T {
  return closed(parts) as T;
}

function closed(target: object): object {
  return new Proxy(target, {
    get: (_, name) => {
      const value: unknown = Reflect.get(target, name);
      if (value === undefined) throw new Error(`${String(name)} is not in the closed list`);
      return Object.getPrototypeOf(value) === Object.prototype ? closed(value as object) : value;
    },
  });
}
