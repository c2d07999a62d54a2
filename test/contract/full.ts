/** `T` with every field given, at every depth: a value of it knows all fields of the type, or does not compile. */
export type Full<T> = T extends readonly (infer Item)[]
  ? readonly Full<Item>[]
  : T extends object
    ? { readonly [Name in keyof T]-?: Full<T[Name]> }
    : T;

/** `T` with only the fields that must be given, at every depth. */
export type Minimal<T> = T extends readonly (infer Item)[]
  ? readonly Minimal<Item>[]
  : T extends object
    ? { readonly [Name in keyof T as undefined extends T[Name] ? never : Name]: Minimal<T[Name]> }
    : T;
