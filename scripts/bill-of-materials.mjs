// `node scripts/bill-of-materials.mjs FILE`: every package that an installation brings along on some platform, with its
// digest, as CycloneDX. It is read from the lock file alone, so it names exactly what was tested.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

const [file = 'dist/assentry.cdx.json'] = process.argv.slice(2);
const words = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'];
const bill = JSON.parse(execFileSync('npm', words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));
const { name, version } = JSON.parse(readFileSync('package.json', 'utf8'));
// npm calls the component after the folder it is in.
Object.assign(bill.metadata.component, { name, version });
// npm also lists optional peers, such as the compiler that a client of the database can use, which no installation gets.
const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
const shipped = new Set([...installed('')].map((place) => `${nameOf(place)}@${packages[place].version}`));
bill.components = bill.components.filter((item) => shipped.has(`${item.name}@${item.version}`));
const listed = new Set([bill.metadata.component['bom-ref'], ...bill.components.map((item) => item['bom-ref'])]);
bill.dependencies = bill.dependencies
  .filter(({ ref }) => listed.has(ref))
  .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((other) => listed.has(other)) }));
const bare = bill.components.filter(({ hashes = [] }) => !hashes.some(({ alg }) => alg === 'SHA-512'));
if (bare.length > 0) throw new TypeError(`No digest is locked for ${bare.map((item) => item.name).join(', ')}.`);
writeFileSync(file, `${JSON.stringify(bill, null, 2)}\n`);
// Not on standard output: `npm pack --json` would pass it on.
console.error(`Listed ${bill.components.length} packages in ${file}.`);

/** The places of all packages that the one at this place needs. */
function installed(place, places = new Set()) {
  for (const name of needsOf(packages[place])) {
    const found = placeOf(name, place);
    if (found === undefined || places.has(found)) continue;
    places.add(found);
    installed(found, places);
  }
  return places;
}

function needsOf({ dependencies, optionalDependencies, peerDependencies = {}, peerDependenciesMeta = {} }) {
  const peers = Object.keys(peerDependencies).filter((name) => !peerDependenciesMeta[name]?.optional);
  return [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers];
}

/** The nearest one, as Node.js looks for it. */
function placeOf(name, from) {
  const place = `${from === '' ? '' : `${from}/`}node_modules/${name}`;
  if (place in packages || from === '') return place in packages ? place : undefined;
  return placeOf(name, from.slice(0, Math.max(from.lastIndexOf('node_modules/') - 1, 0)));
}

function nameOf(place) {
  return place.replace(/^.*node_modules\//, '');
}
