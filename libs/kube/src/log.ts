/** Where this library says what it lives through. Messages are constants; what varies stands in the fields. */
export interface Log {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}

export type LogFields = Readonly<Record<string, unknown>>;

/** Says nothing. */
export const noLog: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
