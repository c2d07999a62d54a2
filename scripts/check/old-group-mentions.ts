import type { ProjectFile } from './project-files.ts';

// Put together, so that this file does not name it.
const OLD_GROUP = ['config', 'ratify', 'dev'].join('.');

/**
 * Every mention of the API group that Ratify had until 2026, outside the places that serve clusters from then: the setting,
 * its docs, its manifest component, and tests.
 */
export function oldGroupMentions(files: readonly ProjectFile[]): string[] {
  return files
    .filter(({ path }) => !ALLOWED.some((pattern) => pattern.test(path)))
    .flatMap(({ path, text }) =>
      text.split('\n').flatMap((line, at) => (line.includes(OLD_GROUP) ? [`${path}:${at + 1}`] : [])),
    )
    .map((place) => `${place}: names ${OLD_GROUP}: the group is config.ratify.sh since 2026`);
}

const ALLOWED = [
  /^apps\/[^/]+\/src\/config\.ts$/,
  /^docs\/(?:design|install|settings|older-clusters)\.md$/,
  /^manifests\/components\/config-ratify-dev\//,
  /^charts\/[^/]+\/values\./,
  /^test\//,
  /\.test\.ts$/,
];
