// `node scripts/bill-of-materials.mjs FILE`: every package that an installation can bring along, with its digest, as
// CycloneDX. It is read from the lock file alone, so it names exactly what was tested.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

const [file = 'dist/assentry.cdx.json'] = process.argv.slice(2);
const words = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'];
const bill = JSON.parse(execFileSync('npm', words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));
const { name, version } = JSON.parse(readFileSync('package.json', 'utf8'));
// npm calls the component after the folder it is in.
Object.assign(bill.metadata.component, { name, version });
// With `--omit dev`, npm also leaves out packages that an installation needs, so what is for development is taken out here.
const isForDevelopment = ({ properties = [] }) => properties.some(({ name }) => name === 'cdx:npm:package:development');
bill.components = bill.components.filter((item) => !isForDevelopment(item));
const listed = new Set([bill.metadata.component['bom-ref'], ...bill.components.map((item) => item['bom-ref'])]);
bill.dependencies = bill.dependencies
  .filter(({ ref }) => listed.has(ref))
  .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((other) => listed.has(other)) }));
const bare = bill.components.filter(({ hashes = [] }) => !hashes.some(({ alg }) => alg === 'SHA-512'));
if (bare.length > 0) throw new TypeError(`No digest is locked for ${bare.map((item) => item.name).join(', ')}.`);
writeFileSync(file, `${JSON.stringify(bill, null, 2)}\n`);
// Not on standard output: `npm pack --json` would pass it on.
console.error(`Listed ${bill.components.length} packages in ${file}.`);
