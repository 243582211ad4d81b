// `npm run release -- minor`: version, changelog, tarballs, the main job in an empty folder, commit and tag.
// With --dry-run it does all of that and then puts the working tree back; nothing is committed or tagged.
// It never publishes: `npm publish --provenance` is the workflow's, from the tag.
import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const isDryRun = process.argv.includes('--dry-run');
const kind = process.argv.slice(2).find((word) => !word.startsWith('--')) ?? 'minor';
if (!['major', 'minor', 'patch'].includes(kind)) leave(`Say major, minor or patch, not ${kind}.`);
if (git('status', '--porcelain') !== '') leave('Commit or stash your changes first.');

const folder = mkdtempSync(path.join(os.tmpdir(), 'assentry-release-'));
chmodSync(folder, 0o711); // as root, PostgreSQL's ordinary user walks through it
const pyproject = 'clients/python/pyproject.toml';
const versioned = ['package.json', 'package-lock.json', 'CHANGELOG.md', pyproject];
let isCommitted = false;
try {
  const version = setVersion();
  const tarball = pack();
  await runMainJob(tarball, version);
  process.stdout.write(run(process.execPath, ['scripts/wrap-from-nothing.mjs', tarball]));
  if (isDryRun) console.log(`Version ${version} would be released. Nothing was changed.`);
  else commit(version);
  isCommitted = !isDryRun;
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
} finally {
  if (!isCommitted) git('checkout', '--', ...versioned);
  rmSync(folder, { recursive: true, force: true });
}

/** The first release keeps the version that package.json has; its section of the changelog gets today's date. */
function setVersion() {
  const isFirst = git('tag', '--list', 'v*') === '';
  if (!isFirst) run('npm', ['version', kind, '--no-git-tag-version']);
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
  const changelog = readFileSync('CHANGELOG.md', 'utf8');
  const heading = `## ${version} (unreleased)`;
  if (!changelog.includes(heading)) stop(`Give CHANGELOG.md a section "${heading}" first.`);
  writeFileSync('CHANGELOG.md', changelog.replace(heading, `## ${version} (${new Date().toISOString().slice(0, 10)})`));
  const python = readFileSync(pyproject, 'utf8');
  writeFileSync(pyproject, python.replace(/^version = ".*"$/m, `version = "${version}"`));
  return version;
}

function pack() {
  const [{ filename, size, entryCount }] = JSON.parse(run('npm', ['pack', '--json', '--pack-destination', folder]));
  console.log(`Packed ${filename}: ${(size / 1e6).toFixed(1)} MB, ${entryCount} files.`);
  process.stdout.write(run(process.execPath, ['scripts/pack-sdk.mjs', folder]));
  return path.join(folder, filename);
}

function checkBill(file, version) {
  const { components, metadata } = JSON.parse(readFileSync(file, 'utf8'));
  if (metadata.component.version !== version) stop('The bill of materials is for another version.');
  console.log(`The package lists its ${components.length} dependencies in ${path.basename(file)}.`);
}

/** Installs the tarball in an empty folder, serves from it, and asks as an MCP server would. */
async function runMainJob(tarball, version) {
  writeFileSync(path.join(folder, 'package.json'), '{ "type": "module", "private": true }');
  run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', tarball], folder);
  checkBill(path.join(folder, 'node_modules', 'assentry', 'dist', 'assentry.cdx.json'), version);
  const bin = path.join(folder, 'node_modules', '.bin', 'assentry');
  const env = { ...process.env, ASSENTRY_PORT: '0', ASSENTRY_DATA_DIR: path.join(folder, 'data') };
  if (run(bin, ['--version'], folder, env).trim() !== version) stop('The installed program has another version.');
  const server = spawn(bin, ['serve'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const url = await readyAddress(server);
    const { key } = JSON.parse(run(bin, ['key', 'create', '--server', 'release', '--json'], folder, env));
    const response = await fetch(`${url}/v1/elicitations`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        tool: { name: 'refund' },
        arguments: { amount: 20 },
        message: 'Refund 20?',
        requester: { subject: 'alice' },
        audience: 'approvers',
      }),
    });
    if (response.status !== 201) stop(`The installed server answered ${response.status}: ${await response.text()}`);
    console.log('Installed in an empty folder, served, and held a request.');
  } finally {
    server.kill('SIGTERM');
    await new Promise((resolve) => server.once('exit', resolve));
  }
}

function readyAddress(server) {
  return new Promise((resolve, reject) => {
    let text = '';
    server.stdout.on('data', (chunk) => {
      text += chunk;
      const address = /ready at (\S+)/.exec(text)?.[1];
      if (address) resolve(address);
    });
    server.once('exit', (code) => reject(new TypeError(`The installed server ended with ${code}.`)));
  });
}

function commit(version) {
  git('commit', '-m', `Release ${version}`, '--', ...versioned);
  git('tag', '-s', `v${version}`, '-m', `Assentry ${version}`);
  console.log(`Tagged v${version}. Push it with: git push --follow-tags`);
}

function git(...words) {
  return run('git', words).trim();
}

function run(program, words, cwd = process.cwd(), env = process.env) {
  return execFileSync(program, words, { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
}

function stop(sentence) {
  throw new TypeError(sentence);
}

/** Before anything was changed. */
function leave(sentence) {
  console.error(sentence);
  process.exit(1);
}
