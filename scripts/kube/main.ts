import { resolveAssets } from './assets.ts';

/** Prints the directory with the programs of a control plane, after finding, fetching or building them. */
try {
  const { directory } = await resolveAssets({ env: process.env, log: (line) => console.error(line) });
  console.log(directory);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
