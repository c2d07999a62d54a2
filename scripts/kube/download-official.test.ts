import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { COMPONENTS, ETCD_VERSION } from './components.ts';
import { downloadOfficial } from './download-official.ts';

describe('downloadOfficial', () => {
  const files = new Map<string, Buffer>();
  let root: string;
  let server: Server;
  let site: string;

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'download-'));
    await mkdir(join(root, 'into'));
    await serveReleases();
    server = createServer((request, response) => {
      const file = files.get(request.url ?? '');
      response.writeHead(file === undefined ? 404 : 200).end(file);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    site = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterEach(async () => {
    server.closeAllConnections();
    server.close();
    await rm(root, { recursive: true });
  });

  it('gives every component, executable', async () => {
    await download();
    expect((await readdir(join(root, 'into'))).sort()).to.deep.equal([...COMPONENTS].sort());
    for (const component of COMPONENTS) {
      expect(await readFile(join(root, 'into', component), 'utf8')).to.equal(`I am ${component}`);
      expect((await stat(join(root, 'into', component))).mode & 0o111).to.equal(0o111);
    }
  });

  it('refuses a file that does not match its checksum', async () => {
    files.set('/v1.36.3/bin/linux/amd64/kubelet', Buffer.from('something else'));
    expect(await failure()).to.match(
      /kubelet has SHA-256 [0-9a-f]{64}, but [0-9a-f]{64} was published: not used/,
    );
  });

  it('refuses an etcd archive that the list of checksums does not name', async () => {
    files.set(`/v${ETCD_VERSION}/SHA256SUMS`, Buffer.from('abc  other.tar.gz\n'));
    expect(await failure()).to.contain('the list of checksums does not name etcd-v');
  });

  it('names the address that does not answer', async () => {
    files.delete('/v1.36.3/bin/linux/amd64/kubectl.sha256');
    expect(await failure()).to.contain(`cannot get ${site}/v1.36.3/bin/linux/amd64/kubectl.sha256: HTTP 404`);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    expect(await failure()).to.match(/cannot get \S+SHA256SUMS: \S+/);
  });

  const download = () =>
    downloadOfficial({
      version: '1.36.3',
      arch: 'amd64',
      into: join(root, 'into'),
      env: process.env,
      log: () => undefined,
      sites: { kubernetes: site, etcd: site },
    });
  const failure = () =>
    download().then(
      () => 'no failure',
      (error: unknown) => String(error),
    );

  async function serveReleases(): Promise<void> {
    files.clear();
    for (const component of COMPONENTS) {
      const content = Buffer.from(`I am ${component}`);
      files.set(`/v1.36.3/bin/linux/amd64/${component}`, content);
      files.set(`/v1.36.3/bin/linux/amd64/${component}.sha256`, Buffer.from(sha256(content)));
    }
    const release = `etcd-v${ETCD_VERSION}-linux-amd64`;
    await mkdir(join(root, release));
    await writeFile(join(root, release, 'etcd'), 'I am etcd', { mode: 0o755 });
    execFileSync('tar', ['-czf', join(root, 'etcd.tar.gz'), '-C', root, release]);
    const archive = await readFile(join(root, 'etcd.tar.gz'));
    files.set(`/v${ETCD_VERSION}/${release}.tar.gz`, archive);
    files.set(`/v${ETCD_VERSION}/SHA256SUMS`, Buffer.from(`${sha256(archive)}  ${release}.tar.gz\n`));
  }
});

const sha256 = (content: Buffer) => createHash('sha256').update(content).digest('hex');
