import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import { parseGoUrl } from './go/go-url.ts';
import { checkNotationIdentities } from './identities/notation-identities.ts';
import { whyNoRe2 } from './re2/re2.ts';
import { checkNotationScopes } from './scopes/notation-scopes.ts';
import { checkScope } from './scopes/scope.ts';
import { parseCertificate } from './x509/certificate.ts';
import { whyNoTrustAnchor } from './x509/trust-anchor.ts';

const FOLDER = new URL('../../../test/fixtures/go-verdicts/', import.meta.url);

describe('what Go itself says', () => {
  it('of 4,000 patterns', async () => {
    const lines = read<{ pattern: string; ok: boolean }>('patterns');
    expect(lines).to.have.length(4_000);
    for (const { pattern, ok } of lines)
      expect((await whyNoRe2(pattern)) === undefined, pattern).to.equal(ok);
  });

  it('of scopes, distinguished names and addresses', () => {
    const lines = read<{
      text: string;
      scope: string;
      notationScope: boolean;
      distinguishedName: boolean;
      url: string | null;
    }>('names');
    expect(lines.length).to.be.above(1_000);
    for (const { text, ...want } of lines) {
      const url = parseGoUrl(text);
      const got = {
        scope: checkScope(text)?.kind ?? 'ok',
        notationScope: passes(() => checkNotationScopes([{ path: '', value: text }])),
        distinguishedName: passes(() =>
          checkNotationIdentities([{ path: '', value: `x509.subject:${text}` }]),
        ),
        url: url === undefined ? null : `${url.scheme} ${url.host}`,
      };
      expect(got, JSON.stringify(text)).to.deep.equal(want);
    }
  });

  it('of certificates', () => {
    const lines = read<{ der: string; ok: boolean; kind?: string; notAfter?: number }>('certificates');
    expect(lines.length).to.be.above(500);
    for (const { der, ...want } of lines) {
      const certificate = parseCertificate(Buffer.from(der, 'base64'));
      if (certificate === undefined) {
        expect(want.ok, der).to.equal(false);
        continue;
      }
      const self = whyNoTrustAnchor(certificate) === undefined;
      const kind = certificate.isCA ? 'ca' : self ? 'self' : 'leaf';
      expect({ ok: true, kind, notAfter: certificate.notAfter.getTime() / 1_000 }, der).to.deep.equal(want);
    }
  });
});

function read<T>(name: string): readonly T[] {
  const text = gunzipSync(readFileSync(new URL(`${name}.jsonl.gz`, FOLDER))).toString();
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as T);
}

function passes(check: () => void): boolean {
  try {
    check();
    return true;
  } catch {
    return false;
  }
}
