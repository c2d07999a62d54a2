import type { DebianPackage } from './debian-libraries.ts';

/** A package whose code is in an image. */
export interface Component {
  readonly name: string;
  readonly version: string;
  /** An SPDX expression, where it is known. */
  readonly license?: string;
  /** A package URL. */
  readonly purl: string;
}

/** What an SBOM is made of. */
export interface SbomFacts {
  readonly name: string;
  readonly version: string;
  /** RFC 3339. */
  readonly created: string;
  readonly components: readonly Component[];
}

/**
 * An SPDX 2.3 document for one image: the image, and every package of which it has code. The same facts give the same
 * document.
 *
 * @see https://spdx.github.io/spdx-spec/v2.3/
 */
export function sbom({ name, version, created, components }: SbomFacts) {
  const image = spdxPackage({ name, version, license: 'Apache-2.0', purl: `pkg:oci/${name}@${version}` });
  const packages = components
    .toSorted((a, b) => (a.purl < b.purl ? -1 : 1))
    .map((component) => spdxPackage(component));
  return {
    spdxVersion: 'SPDX-2.3',
    dataLicense: 'CC0-1.0',
    SPDXID: 'SPDXRef-DOCUMENT',
    name: `${name}-${version}`,
    documentNamespace: `https://executor-status.invalid/spdx/${name}-${version}`,
    creationInfo: { created, creators: ['Tool: executor-status-build-images'] },
    packages: [image, ...packages],
    relationships: [
      { spdxElementId: 'SPDXRef-DOCUMENT', relationshipType: 'DESCRIBES', relatedSpdxElement: image.SPDXID },
      ...packages.map(({ SPDXID }) => ({
        spdxElementId: image.SPDXID,
        relationshipType: 'CONTAINS',
        relatedSpdxElement: SPDXID,
      })),
    ],
  };
}

function spdxPackage({ name, version, license = 'NOASSERTION', purl }: Component) {
  return {
    SPDXID: `SPDXRef-${`${name}-${version}`.replaceAll(/[^A-Za-z0-9.-]+/g, '-')}`,
    name,
    versionInfo: version,
    downloadLocation: 'NOASSERTION',
    filesAnalyzed: false,
    licenseConcluded: 'NOASSERTION',
    licenseDeclared: license,
    copyrightText: 'NOASSERTION',
    externalRefs: [{ referenceCategory: 'PACKAGE-MANAGER', referenceType: 'purl', referenceLocator: purl }],
  };
}

/** The parts of an image that do not come from npm. */
export function systemComponents(
  nodeVersion: string,
  packages: readonly DebianPackage[],
): readonly Component[] {
  return [
    { name: 'node', version: nodeVersion, license: 'MIT', purl: `pkg:generic/node@${nodeVersion}` },
    ...packages.map(({ name, version }) => ({
      name,
      version,
      purl: `pkg:deb/debian/${encodeURIComponent(name)}@${encodeURIComponent(version)}`,
    })),
  ];
}
