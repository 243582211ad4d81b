// `npm run wrap-from-nothing -- [TARBALL]`: what docs/gateway/README.md promises on a laptop, in an empty folder with an empty home and
// only Node.js on the PATH, with each command and its seconds: install, wrap, set up, a call that waits, an approval, a file.
// Without a tarball it packs one. With `--project FOLDER` it uses what is installed there, and starts the server from it.
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

const longest = 120_000;
const { values, positionals } = parseArgs({ options: { project: { type: 'string' } }, allowPositionals: true });
const folder = mkdtempSync(path.join(os.tmpdir(), 'assentry-from-nothing-'));
chmodSync(folder, 0o711); // as root, PostgreSQL's ordinary user walks through it
const inFolder = (name) => path.join(folder, name);
const project = values.project ?? inFolder('project');
const env = bareEnvironment();
const tarball = values.project ? null : path.resolve(positionals[0] ?? pack());
const begun = Date.now();
let connection;
try {
  if (tarball) await install(tarball);
  await work();
  const took = Date.now() - begun;
  if (took > longest) throw new TypeError(`It took ${seconds(took)}, which is too long.`);
  console.log(`From nothing to a gated write in ${seconds(took)}.`);
} finally {
  await connection?.close();
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 300 });
}

/** A home without anything, and of this machine's programs only what npm itself starts. */
function bareEnvironment() {
  for (const name of ['home', 'bin', 'work']) mkdirSync(inFolder(name));
  const shells = ['/bin/sh', '/usr/bin/env'].filter(existsSync);
  for (const program of [process.execPath, whereIs('npm'), whereIs('npx'), ...shells])
    symlinkSync(program, inFolder(path.join('bin', path.basename(program))));
  const registry = execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).trim();
  return { PATH: inFolder('bin'), HOME: inFolder('home'), ASSENTRY_PORT: '0', npm_config_registry: registry };
}

function whereIs(program) {
  return execFileSync('/bin/sh', ['-c', `command -v ${program}`], { encoding: 'utf8' }).trim();
}

function pack() {
  const words = ['pack', '--json', '--pack-destination', folder];
  const [{ filename }] = JSON.parse(
    execFileSync('npm', words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }),
  );
  return inFolder(filename);
}

async function install(file) {
  mkdirSync(project);
  writeFileSync(path.join(project, 'package.json'), '{}');
  const words = ['install', '--no-audit', '--no-fund', file];
  await step(`npm install ${path.basename(file)}`, () =>
    execFileSync('npm', words, { cwd: project, env, stdio: ['ignore', 'ignore', 'inherit'] }),
  );
}

async function work() {
  const filesystem = '@modelcontextprotocol/server-filesystem';
  const require = createRequire(path.join(project, 'package.json'));
  const server = values.project
    ? [process.execPath, require.resolve(`${filesystem}/dist/index.js`)]
    : ['npx', '-y', filesystem];
  const words = ['assentry', 'wrap', '--', ...server, inFolder('work')];
  const client = await step(`npx ${words.join(' ')}`, () => connect(require, words));
  const file = path.join(inFolder('work'), 'note.txt');
  await step('list_directory: reads, and passes', () => call(client, 'list_directory', { path: inFolder('work') }));
  const person = await step('open the set-up link, and make the first administrator', setUp);
  const writing = call(client, 'write_file', { path: file, content: 'approved' });
  writing.catch(() => {});
  const request = await step('write_file: waits, and is in the inbox', () => person.findRequest());
  if (existsSync(file)) throw new TypeError('The file was written before anyone approved it.');
  await step('approve it', () => person.approve(request));
  await step('the file is there', () => writing);
  if (readFileSync(file, 'utf8') !== 'approved') throw new TypeError('The file does not say what was approved.');
}

/** An ordinary MCP client: that of the SDK that the package brings along. */
async function connect(require, words) {
  const part = (name) => import(pathToFileURL(require.resolve(`@modelcontextprotocol/sdk/client/${name}.js`)).href);
  const [{ Client }, { StdioClientTransport }] = await Promise.all([part('index'), part('stdio')]);
  const options = { command: 'npx', args: words, cwd: project, stderr: 'inherit' };
  const client = new Client({ name: 'laptop', version: '1.0.0' });
  const data = { ASSENTRY_DATA_DIR: inFolder('data') };
  connection = client;
  await client.connect(new StdioClientTransport({ ...options, env: { ...env, ...data } }), { timeout: longest });
  return client;
}

async function call(client, name, args) {
  const result = await client.callTool({ name, arguments: args }, undefined, { timeout: longest });
  if (result.isError) throw new TypeError(`${name}: ${JSON.stringify(result.content)}`);
}

/** By the link in the data directory; the rest as the console does it. */
async function setUp() {
  const link = new URL(await until(() => readIfThere(inFolder('data/set-up-link'))));
  const ada = { email: 'ada@example.com', name: 'Ada', password: 'seven quiet otters paint' };
  const send = async (method, place, body, cookie = '') => {
    const headers = { 'content-type': 'application/json', origin: link.origin, cookie };
    const answer = await fetch(link.origin + place, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    if (!answer.ok) throw new TypeError(`${method} ${place}: ${answer.status} ${await answer.text()}`);
    return answer;
  };
  await send('POST', '/api/setup', { link: new URLSearchParams(link.hash.slice(1)).get('link'), ...ada });
  const session = await send('POST', '/api/session', { email: ada.email, password: ada.password });
  const cookie = session.headers.get('set-cookie')?.split(';')[0];
  const read = async (place) => (await send('GET', place, undefined, cookie)).json();
  return {
    findRequest: () => until(async () => (await read('/api/elicitations?view=mine')).items[0]?.id),
    async approve(id) {
      const { digest } = await read(`/api/elicitations/${id}`);
      await send('POST', `/api/elicitations/${id}/vote`, { action: 'accept', digest }, cookie);
    },
  };
}

function readIfThere(file) {
  return existsSync(file) && readFileSync(file, 'utf8').trim();
}

async function until(find) {
  while (Date.now() < begun + longest) {
    const result = await find();
    if (result) return result;
    await sleep(100);
  }
  throw new TypeError('It waited in vain.');
}

async function step(words, run) {
  const start = Date.now();
  const result = await run();
  console.log(`${seconds(Date.now() - start).padStart(8)}  ${words.replaceAll(folder, '…')}`);
  return result;
}

function seconds(milliseconds) {
  return `${(milliseconds / 1000).toFixed(1)} s`;
}
