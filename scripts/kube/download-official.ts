import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { chmod, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import type { Environment } from './cache-directory.ts';
import { COMPONENTS, ETCD_VERSION } from './components.ts';
import { runWithProgress } from './run-with-progress.ts';

/** What a download of the official binaries needs. */
export interface OfficialDownload {
  readonly version: string;
  readonly arch: 'amd64' | 'arm64';
  /** An existing directory that receives one file per component. */
  readonly into: string;
  readonly env: Environment;
  readonly log: (line: string) => void;
  /** Where the releases are; parameters so that a test can serve its own. */
  readonly sites?: { readonly kubernetes: string; readonly etcd: string };
}

const OFFICIAL_SITES = {
  kubernetes: 'https://dl.k8s.io',
  etcd: 'https://github.com/etcd-io/etcd/releases/download',
};

/** How long a site may take for its first, small answer; a machine without a network moves on after it. */
const FIRST_ANSWER_MS = 4_000;

/** How long a transfer may take, at most: 100 MB at 0.5 MB/s. */
const TRANSFER_MS = 200_000;

/**
 * Downloads the official binaries, each checked against the SHA-256 that its project publishes.
 *
 * @throws {Error} if a site does not answer, lacks the version, or a file does not match its checksum.
 */
export async function downloadOfficial(options: OfficialDownload): Promise<void> {
  const { version, arch, into, env, log, sites = OFFICIAL_SITES } = options;
  const release = `etcd-v${ETCD_VERSION}-linux-${arch}`;
  const etcd = `${sites.etcd}/v${ETCD_VERSION}`;
  const etcdSums = await text(`${etcd}/SHA256SUMS`);
  const archive = join(into, 'etcd.tar.gz');
  await fetchChecked({
    url: `${etcd}/${release}.tar.gz`,
    file: archive,
    sha256: sumOf(etcdSums, `${release}.tar.gz`),
    log,
  });
  await runWithProgress({
    step: 'unpack etcd',
    command: 'tar',
    args: ['-xzf', archive, '--strip-components=1', `${release}/etcd`],
    directory: into,
    env,
    log,
  });
  await rm(archive);
  for (const component of COMPONENTS.filter((name) => name !== 'etcd')) {
    const url = `${sites.kubernetes}/v${version}/bin/linux/${arch}/${component}`;
    const sha256 = (await text(`${url}.sha256`)).trim();
    await fetchChecked({ url, file: join(into, component), sha256, log });
    await chmod(join(into, component), 0o755);
  }
}

async function text(url: string): Promise<string> {
  const response = await answer(url, FIRST_ANSWER_MS);
  return await response.text();
}

async function answer(url: string, timeoutMs: number): Promise<Response> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) });
    if (response.ok) return response;
    throw new Error(`HTTP ${response.status}`);
  } catch (error) {
    throw new Error(`cannot get ${url}: ${reasonOf(error)}`, { cause: error });
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}

/** Finds a file's sum in a list as `sha256sum` writes it. */
function sumOf(list: string, file: string): string {
  const line = list.split('\n').find((entry) => entry.trim().endsWith(` ${file}`));
  if (line === undefined) throw new Error(`the list of checksums does not name ${file}`);
  return line.trim().split(/\s+/)[0] ?? '';
}

interface CheckedFile {
  readonly url: string;
  readonly file: string;
  readonly sha256: string;
  readonly log: (line: string) => void;
}

async function fetchChecked({ url, file, sha256, log }: CheckedFile): Promise<void> {
  log(`downloading ${url}`);
  const response = await answer(url, TRANSFER_MS);
  if (response.body === null) throw new Error(`cannot get ${url}: the answer is empty`);
  const hash = createHash('sha256');
  const hashing = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      done(null, chunk);
    },
  });
  const body = Readable.fromWeb(response.body as ReadableStream<Uint8Array>);
  await pipeline(body, hashing, createWriteStream(`${file}.part`));
  const found = hash.digest('hex');
  if (found !== sha256) throw new Error(`${url} has SHA-256 ${found}, but ${sha256} was published: not used`);
  await rename(`${file}.part`, file);
}
