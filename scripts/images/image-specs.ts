import { NODE_FLAGS } from '../node-flags.ts';

/** One image: an app, the Node flags it runs with, and what its label says. */
export interface ImageSpec {
  readonly app: keyof typeof NODE_FLAGS;
  readonly flags: readonly string[];
  readonly title: string;
}

/** Every image of the project. */
export const IMAGES: readonly ImageSpec[] = [
  {
    app: 'executor-writer',
    flags: NODE_FLAGS['executor-writer'],
    title: 'Reports whether each Executor of Ratify builds in this pod',
  },
  {
    app: 'status-aggregator',
    flags: NODE_FLAGS['status-aggregator'],
    title: 'Folds what all Ratify pods report into the status of each Executor',
  },
];

/** Where the images stand unless told otherwise; a name that no registry can have, since each user has another. */
export const DEFAULT_REGISTRY = 'registry.example/executor-status';

/** A user without rights: the one that Ratify's own image has, so that mounts which Ratify can read can be read. */
export const USER = { id: 65_532, name: 'nonroot', home: '/home/nonroot' } as const;

/** The architectures, as container images name them, and what Node and Debian call them. */
export const ARCHITECTURES = {
  amd64: { npm: 'x64', triplet: 'x86_64-linux-gnu', loader: 'lib64/ld-linux-x86-64.so.2' },
  arm64: { npm: 'arm64', triplet: 'aarch64-linux-gnu', loader: 'lib/ld-linux-aarch64.so.1' },
} as const;

export type Architecture = keyof typeof ARCHITECTURES;
