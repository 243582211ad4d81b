// `node scripts/vulnerabilities.mjs FILE`: what the registry's advisories say of the packages in the bill of materials, as
// CycloneDX (VEX). The list is empty if they name none of them. An advisory that stands there was not judged by this: a
// person adds why it does not apply, or a release mends it. If the registry does not answer, nothing is written.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

const [file = 'dist/assentry.vex.cdx.json', bill = 'dist/assentry.cdx.json'] = process.argv.slice(2);
const { serialNumber, version: revision, specVersion, metadata, components } = JSON.parse(readFileSync(bill, 'utf8'));
const { vulnerabilities, ...answer } = audit();
if (vulnerabilities === undefined) {
  console.error(`The registry does not say which packages are vulnerable: ${answer.message ?? 'it gave no list'}.`);
  process.exit(1);
}
const listed = new Set(components.map(({ name }) => name));
const reported = Object.values(vulnerabilities)
  .flatMap(({ via }) => via)
  .filter((advisory) => typeof advisory === 'object' && listed.has(advisory.name));
const advisories = [...new Map(reported.map((advisory) => [advisory.url, advisory])).values()];
const document = {
  bomFormat: 'CycloneDX',
  specVersion,
  version: 1,
  metadata: {
    timestamp: new Date().toISOString(),
    component: metadata.component,
    properties: [{ name: 'assentry:asked', value: 'npm audit --package-lock-only --omit=dev' }],
  },
  vulnerabilities: advisories.map(toVulnerability),
};
writeFileSync(file, `${JSON.stringify(document, null, 2)}\n`);
console.error(`Listed ${document.vulnerabilities.length} advisories about ${components.length} packages in ${file}.`);

function audit() {
  const words = ['audit', '--package-lock-only', '--omit=dev', '--json'];
  return JSON.parse(spawnSync('npm', words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).stdout);
}

function toVulnerability({ name, url, title, severity, range }) {
  const link = (ref) => `urn:cdx:${serialNumber.replace('urn:uuid:', '')}/${revision}#${encodeURIComponent(ref)}`;
  return {
    id: url.split('/').at(-1),
    source: { url },
    description: `${title} (${name} ${range})`,
    ratings: [{ severity: severity === 'moderate' ? 'medium' : severity }],
    analysis: { state: 'in_triage' },
    affects: components.filter((item) => item.name === name).map((item) => ({ ref: link(item['bom-ref']) })),
  };
}
