import { expect } from 'chai';
import fc from 'fast-check';
import { redact } from './redact.ts';

const SECRET = 'hunter2hunter2';
const BASE64 = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSj';
const JWT = `eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJyYXRpZnkifQ.${SECRET}`;

describe('redact', () => {
  const leaks: Record<string, string> = {
    'a private key': `bad key: -----BEGIN PRIVATE KEY-----\n${BASE64}\n-----END PRIVATE KEY-----`,
    'a private key on one line': `-----BEGIN EC PRIVATE KEY-----\\n${BASE64}\\n-----END EC PRIVATE KEY-----`,
    'an encrypted key with its headers': `-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-256-CBC,AB\n\n${BASE64}\n-----END RSA PRIVATE KEY-----`,
    'a key that was cut': `-----BEGIN OPENSSH PRIVATE KEY-----\n${BASE64}`,
    'the end of a key': `…${BASE64}\n-----END PRIVATE KEY-----`,
    'a key of another tool': `---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----\n${BASE64}\n---- END SSH2 ENCRYPTED PRIVATE KEY ----`,
    'a web token': `token ${JWT} is not valid`,
    'an encrypted web token': `eyJhbGciOiJSU0EifQ.${SECRET}.iv-iv.cipher.tag`,
    'a registry configuration in base64': `auth eyJhdXRocyI6${SECRET}`,
    'a bearer token': `Bearer ${SECRET} refused`,
    'a bearer token in capitals': 'Authorization: BEARER hunterHUNTERhunter2',
    'a header with a plain word': 'authorization: bearer hunterhunterhunter',
    'a header in JSON': `{"Authorization":"Basic ${SECRET}="}`,
    'basic credentials': 'Basic aHVudGVyMjpodW50ZXIy',
    'a password in a URL': `Get "https://user:${SECRET}@example.org/v2/": refused`,
    'a password with an at sign in a URL': `https://user:x@${SECRET}@example.org/`,
    'a user that is a token in a URL': `https://${SECRET}@example.org/`,
    'a shared access signature': `https://a.blob.core.windows.net/c?sv=2022&sig=${SECRET}%3D&se=2026`,
    'an authorization code': `https://login.example.org/cb?code=${SECRET}`,
    'a connection string': `DefaultEndpointsProtocol=https;AccountKey=${SECRET}==;EndpointSuffix=x`,
    'a shared access key': `Endpoint=sb://x/;SharedAccessKeyName=n;SharedAccessKey=${SECRET}=`,
    'a form': `grant_type=client_credentials&client_secret=${SECRET}&scope=x`,
    'a client assertion': `client_assertion=${SECRET}`,
    'a variable of the environment': `AZURE_CLIENT_SECRET=${SECRET} is wrong`,
    'an AWS variable': `aws_secret_access_key = ${SECRET}`,
    'a header of AWS': `X-Amz-Security-Token=${SECRET}`,
    JSON: `{"client_secret":"${SECRET}","x":1}`,
    'JSON in a JSON string': `body: "{\\"refresh_token\\":\\"${SECRET}\\"}"`,
    'JSON with a quote in the secret': `{"password":"a\\"${SECRET}"}`,
    YAML: `clientSecret: ${SECRET}`,
    'YAML in quotes': `password: '${SECRET} ${SECRET}'`,
    'a password that is a plain word': 'password: hunterhunter',
    'a token in prose': `the token: ${SECRET} is not valid`,
    'a GitHub token': 'ghp_hunter2hunter2hunter2hunter2hunter2',
    'a GitLab token': 'glpat-hunter2hunter2hunter2',
    'a Docker token': 'dckr_pat_hunter2hunter2hunter2',
    'an npm token': 'npm_hunter2hunter2hunter2hunter2hunter2',
    'a registry configuration': `{"auths":{"ghcr.io":{"auth":"aHVudGVyMjpodW50ZXIy","username":"u"}}}`,
    'a registry configuration in base64, printed in lines': `.dockerconfigjson: ewoJImF1dGhzIjoge${SECRET}`,
    'a registry configuration in base64 with blanks': `data ewogICJhdXRocyI6${SECRET}=`,
    'a registry configuration in base64 with CRLF': `data ew0KICAiYXV0aHMi${SECRET}=`,
    'a flag': `docker login --password ${SECRET} ghcr.io`,
    'a flag with one dash and a weak name': `tool -token ${SECRET}`,
    'a flag with quotes': 'run --token "hunter and hunter"',
    'a password in quotes behind a blank': `the password "${SECRET}" is wrong`,
    'a password in single quotes behind a blank': `bad passphrase 'hunter hunter'`,
    'a secret in quotes': 'secret: "hunterhunter"',
    'a URL-encoded form': `grant_type%3Dx%26client_secret%3D${SECRET}%26scope%3Dy`,
    'a shared access signature in words': `SharedAccessSignature sr=ns.example&sig=${SECRET}%3D&se=1&skn=n`,
    'a shared access signature without parameters before it': `SharedAccessSignature sig=${SECRET}`,
    'a signed request of AWS': `https://b.s3.example/o?X-Amz-Date=1&X-Amz-Signature=${SECRET}&x=1`,
    'a cookie': 'Set-Cookie: sid=hunterhunter; Path=/; HttpOnly',
    'cookies of a request': 'Cookie: a=hunter1; b=hunter2',
    'a cookie in JSON': `{"set-cookie":["sid=${SECRET}; Path=/"],"x":1}`,
    'a private key under a label in other letters': `-----BEGIN Private Key-----\n${BASE64}\n-----END Private Key-----`,
    'a PKCS#12 file in base64': `{"value":"MIIK${SECRET}AwYLKoZIhvcNAQcBoIIKnQSCCpkwggqV","contentType":"application/x-pkcs12"}`,
    'a key in base64 without armour': `d: MIGHAgEAMBMGByqGSM49AgEGCCqGSM49${SECRET}`,
    'an Ed25519 key in base64': `k=MC4CAQAwBQYDK2VwBCIEI${SECRET}hunter2hunter2`,
    'an Azure client secret': 'aB38Q~hunter2hunter2hunter2hunter2hunter2',
  };
  for (const [name, text] of Object.entries(leaks)) {
    it(`WP-10 removes ${name}`, () => {
      const left = redact(text);
      expect(left).to.include('removed]');
      expect(left.toLowerCase()).not.to.match(/hunter|ahVud|miiev/i);
    });
  }

  for (const [name, text] of Object.entries({
    'an AWS key id': 'AKIAIOSFODNN7EXAMPLE',
    'a Google key': 'AIzaSyA1234567890abcdefghijklmnopqrstuv',
    'a Slack token': 'xoxb-1234567890-abcdef',
  })) {
    it(`WP-10 removes ${name}`, () => {
      expect(redact(`key ${text}.`)).to.equal('key [removed].');
    });
  }

  const kept = [
    'x509: certificate signed by unknown authority: CN=ratify.example.org,O=Example\\, Inc.,C=US',
    'basic constraints of the leaf certificate are not valid',
    'Basic authentication is not supported',
    'bearer authentication failed',
    'failed to fetch token: dial tcp: lookup login.microsoftonline.com: no such host',
    'failed to get secret: Get "https://kv1.vault.azure.net/secrets/cert/0123456789abcdef0123456789abcdef": EOF',
    'failed to get token: AADSTS700016: Application was not found in the directory',
    'rpc error: code = Unavailable desc = connection refused',
    'code: 403',
    'invalid signature: crypto/rsa: verification error',
    'token_endpoint=https://login.microsoftonline.com/72f988bf-86f1-41af-91ab-2d7cd011db47/oauth2/v2.0/token',
    'failed to get key "signing-token": context deadline exceeded',
    'secrets "db-password" not found',
    'unexpected token: }',
    'open /var/run/secrets/kubernetes.io/serviceaccount/token: no such file or directory',
    'ghcr.io/notaryproject/ratify@sha256:4bb28a4d7a2a6ad4d4e9be0d8c8b4a4f4f4d0e8a1c0b0e8d8c8b4a4f4f4d0e8a',
    'https://registry.example.org:5000/v2/net-monitor@sha256:4bb28a4d7a2a6ad4',
    'spec.stores[0].parameters.trustStore: 2 certificates, serial 0x1f0e',
    'pod uid 6d0c2f4e-7a0b-4c5e-9a8f-0123456789ab of node-1',
    'eyeglasses-and-more.example.org',
    'token = nil',
    'token=null, expected a text',
    'assertion = undefined',
    'credential=azure is unknown',
    'invalid token: ghcr.io/app1234',
    'Secret: ratify-cert-12345 not found',
    'secret: ratify-system/db-2026 is empty',
    'the cookie: it is missing',
    'password of the registry is missing',
    'the option --password-file was given',
    'wrong token "}" in line 2',
    'signature is missing',
    'SharedAccessSignature is not supported',
    'the label auth: none',
    'MINISTRY-OF-CERTIFICATES-AND-OTHER-THINGS-WITH-LONG-NAMES',
  ];
  for (const text of kept) {
    it(`WP-10 keeps: ${text}`, () => {
      expect(redact(text)).to.equal(text);
    });
  }

  it('keeps the host and the path around credentials', () => {
    expect(redact(`https://u:${SECRET}@example.org:8443/v2/?x=1&sig=abc&y=2`)).to.equal(
      'https://[removed]@example.org:8443/v2/?x=1&sig=[removed]&y=2',
    );
  });

  it('says what kind of block it removed', () => {
    expect(redact(`a -----BEGIN CERTIFICATE-----\n${BASE64}\n-----END CERTIFICATE----- b`)).to.equal(
      'a [PEM CERTIFICATE removed] b',
    );
  });

  it('changes nothing the second time', () => {
    const parts = [...Object.values(leaks), ...kept, ' ', '"', "'", '=', ':', '-----', '\\', '://', '@'];
    const texts = fc.array(fc.oneof(fc.constantFrom(...parts), fc.string()), { maxLength: 6 });
    fc.assert(
      fc.property(texts, (pieces) => {
        const once = redact(pieces.join(''));
        expect(redact(once)).to.equal(once);
      }),
      { numRuns: 2000 },
    );
  });

  const long: Record<string, string> = {
    letters: 'a'.repeat(1e5),
    dashes: '-'.repeat(1e5),
    'beginnings of blocks': '-----BEGIN A-----'.repeat(6000),
    'ends of blocks': 'aaaaaaaaaaaaaaaa-----EN'.repeat(5000),
    'base64 without an end': `${'QUJD'.repeat(25_000)}-`,
    names: 'token-secret-'.repeat(8000),
    quotes: '"password":"'.repeat(8000),
    'escaped quotes': '\\"password\\":\\"'.repeat(6000),
    schemes: 'https://'.repeat(12_000),
    'at signs': `https://${'a@'.repeat(50_000)}`,
    cookies: 'Cookie: a=b; '.repeat(10_000),
    'cookie names': 'cookie: a'.repeat(12_000),
    'weak names': 'token: abcdefgh'.repeat(8000),
    'one long word behind a name': `token: ${'a1'.repeat(50_000)}:`,
    'one long plain word behind a name': `token: ${'a'.repeat(1e5)}`,
    flags: '--password '.repeat(10_000),
    'beginnings of DER': 'MIIK'.repeat(25_000),
    'bearers and blanks': 'bearer    '.repeat(10_000),
  };
  for (const [name, text] of Object.entries(long)) {
    it(`takes linear time for many ${name}`, () => {
      redact(text);
    }).timeout(2000);
  }
});
