import { expect } from 'chai';
import { proxyFor } from './proxy-for.ts';

describe('proxyFor', () => {
  const PROXY = 'http://proxy:3128';

  const cases: Record<string, { server?: string; env: Record<string, string>; want: string | undefined }> = {
    'is none without a setting': { env: {}, want: undefined },
    'takes HTTPS_PROXY': { env: { HTTPS_PROXY: PROXY }, want: PROXY },
    'takes lower case too': { env: { https_proxy: PROXY }, want: PROXY },
    'takes a proxy without a scheme for http': { env: { HTTPS_PROXY: 'proxy:3128' }, want: PROXY },
    'leaves HTTP_PROXY to http servers': { env: { HTTP_PROXY: PROXY }, want: undefined },
    'takes HTTP_PROXY for an http server': {
      server: 'http://api.test',
      env: { HTTP_PROXY: PROXY },
      want: PROXY,
    },
    'leaves loopback alone': {
      server: 'https://127.0.0.1:6443',
      env: { HTTPS_PROXY: PROXY },
      want: undefined,
    },
    'leaves localhost alone': {
      server: 'https://localhost:6443',
      env: { HTTPS_PROXY: PROXY },
      want: undefined,
    },
    'leaves IPv6 loopback alone': {
      server: 'https://[::1]:6443',
      env: { HTTPS_PROXY: PROXY },
      want: undefined,
    },
  };
  for (const [name, { server = 'https://10.96.0.1:443', env, want }] of Object.entries(cases)) {
    it(name, () => {
      expect(proxyFor(new URL(server), env)).to.equal(want);
    });
  }

  const exempt: [server: string, noProxy: string, exempt: boolean][] = [
    ['https://10.96.0.1', '10.96.0.1', true],
    ['https://10.96.0.1', '10.96.0.2', false],
    ['https://10.96.0.1', '10.0.0.0/8', true],
    ['https://10.96.0.1', '172.16.0.0/12, 10.96.0.0/12', true],
    ['https://10.96.0.1', '10.0.0.0/99', false],
    ['https://10.96.0.1:6443', '10.96.0.1:6443', true],
    ['https://10.96.0.1:6443', '10.96.0.1:443', false],
    ['https://[fd00::1]', 'fd00::/8', true],
    ['https://[fd00::1]', '[fd00::1]:443', true],
    ['https://[fd00::1]', '10.0.0.0/8', false],
    ['https://api.test', '*', true],
    ['https://api.test', 'api.test', true],
    ['https://API.test', 'api.TEST', true],
    ['https://a.api.test', 'api.test', true],
    ['https://a.api.test', '.api.test', true],
    ['https://api.test', '.api.test', false],
    ['https://notapi.test', 'api.test', false],
    ['https://api.test:6443', 'api.test:6443', true],
    ['https://api.test', 'api.test:6443', false],
    ['https://api.test', ', ,', false],
  ];
  for (const [server, noProxy, want] of exempt) {
    it(`${want ? 'exempts' : 'does not exempt'} ${server} by NO_PROXY "${noProxy}"`, () => {
      const proxy = proxyFor(new URL(server), { HTTPS_PROXY: PROXY, NO_PROXY: noProxy });
      expect(proxy).to.equal(want ? undefined : PROXY);
    });
  }
});
