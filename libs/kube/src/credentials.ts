/** How this process reaches the API server and proves who it is. Everything is asked for anew when it may have changed. */
export interface Credentials {
  /** The address of the API server, with a path if it has one. */
  readonly server: URL;
  /** What a new connection needs. Asked for now and then; when the answer changes, new connections use it. */
  connection(): Promise<Connection>;
  /** The headers that authenticate the next request. Nothing outside may keep a copy. */
  headers(): Promise<Readonly<Record<string, string>>>;
  /**
   * Drops what is cached if `refused` was made of it: the server answered 401 to these {@link headers}, the very object. The
   * request is then sent once more. Many requests may be refused for one reason; the first one renews for all.
   */
  renew(refused: Readonly<Record<string, string>>): void;
}

/** TLS and proxy of a connection; certificates and keys are PEM. */
export interface Connection {
  /** Whom to trust; the certificates of the system if absent. */
  readonly ca?: string;
  /** The client certificate and its key. */
  readonly cert?: string;
  readonly key?: string;
  /** The name in the server's certificate, where it differs from the host of its address. */
  readonly serverName?: string;
  /** Takes any server certificate. Only ever set by a kubeconfig that says so. */
  readonly insecure?: boolean;
  /** `http:`, `https:` or `socks5:` address of a proxy. */
  readonly proxy?: string;
}
