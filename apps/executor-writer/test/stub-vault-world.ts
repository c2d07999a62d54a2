import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Executor } from '@executor-status/api';
import { azureKeyVault, type Environment, type KeyVault } from '@executor-status/executor';
import { emptyEnvironment, goodSpec, notation } from '../../../test/support/executor-specs.ts';
import { seededRandom } from '../../../test/support/seeded-random.ts';
import { type StubAnswer, VaultStub } from '../../../test/support/vault-stub.ts';
import { SimulatedPods } from './simulated-pods.ts';

/** Many pods share one process here. */
const PATIENCE_MS = 120_000;
const SEED = 20_260_806;

/** Simulated pods with workload identity that ask a real vault stub, and when each of them asked. */
export class StubVaultWorld {
  readonly stub: VaultStub;
  /** Times of the requests for secrets, by pod, in milliseconds of the simulation. */
  readonly asked = new Map<string, number[]>();
  readonly #folder = mkdtempSync(join(tmpdir(), 'pods-'));

  private constructor(stub: VaultStub) {
    this.stub = stub;
    writeFileSync(join(this.#folder, 'token'), 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJ4In0.c2ln');
  }

  static async open(): Promise<StubVaultWorld> {
    return new StubVaultWorld(await VaultStub.start());
  }

  /** New pods, and a stub that remembers nothing. */
  simulate(pods: number, startMs: number): SimulatedPods {
    this.stub.reset();
    this.asked.clear();
    const simulation: SimulatedPods = new SimulatedPods({
      pods,
      random: seededRandom(SEED),
      startMs,
      environment: (pod) => this.#environment(pod, () => simulation.nowMs),
    });
    return simulation;
  }

  async close(): Promise<void> {
    await this.stub.stop();
    rmSync(this.#folder, { recursive: true });
  }

  #environment(pod: string, nowMs: () => number): Environment {
    const variables = {
      AZURE_CLIENT_ID: 'client-1',
      AZURE_TENANT_ID: 'tenant-1',
      AZURE_FEDERATED_TOKEN_FILE: join(this.#folder, 'token'),
    };
    const vault = azureKeyVault({ variables, agents: this.stub.agents(), callTimeoutMs: PATIENCE_MS });
    const secret: KeyVault['secret'] = (request, signal) => {
      this.asked.set(pod, [...(this.asked.get(pod) ?? []), nowMs()]);
      return vault.secret(request, signal);
    };
    return emptyEnvironment({ keyVault: { ...vault, secret }, deadlineMs: PATIENCE_MS });
  }
}

/** The answer of the stub for a PEM secret. */
export function pemSecret(value: string, version = 'v1'): StubAnswer {
  const id = `https://v.vault.azure.net/secrets/c/${version}`;
  return { body: { value, contentType: 'application/x-pem-file', id } };
}

/** The executor `a` with one certificate `c` of the stub; the fields are those of its notation verifier. */
export function vaultExecutor(generation: number, parameters: object = { certificates: [VAULT] }): Executor {
  return {
    apiVersion: 'config.ratify.sh/v2alpha1',
    kind: 'Executor',
    metadata: { name: 'a', uid: 'uid-a', generation, resourceVersion: String(generation) },
    spec: goodSpec({ verifiers: [notation({ ...parameters })] }),
  };
}

const VAULT = { azurekeyvault: { vaultURL: 'https://v.vault.azure.net', certificates: [{ name: 'c' }] } };
