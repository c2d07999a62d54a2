import { execFile } from 'node:child_process';

/** How a kubectl call ended. */
export interface KubectlResult {
  readonly stdout: string;
  readonly stderr: string;
  /** 0 if it succeeded. */
  readonly code: number;
}

/** A kubectl call that takes longer has a problem worth seeing, in milliseconds. */
const LIMIT_MS = 120_000;

/**
 * Makes a function that runs kubectl against one cluster; it never rejects.
 *
 * @param home - kubectl keeps its cache there, and finds no configuration of the user.
 */
export function kubectlFor(program: string, kubeconfig: string, home: string) {
  return (...args: readonly string[]): Promise<KubectlResult> =>
    new Promise((resolve) => {
      const env = { PATH: process.env['PATH'], HOME: home, KUBECONFIG: kubeconfig };
      const options = { env, timeout: LIMIT_MS, maxBuffer: 64 * 1_048_576 };
      execFile(program, [...args], options, (error, stdout, stderr) => {
        const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 1;
        resolve({ stdout, stderr, code });
      });
    });
}
