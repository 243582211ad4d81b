// `npm run first-request`: what the README promises to a new user, from `git clone` to the first approved request, with an
// empty home and an empty npm cache: each command and each tap on an emulated phone, with its seconds. It fails after
// five minutes. The commit is cloned, so what is not committed is not in it.
import { execFileSync, spawn, type ChildProcess, type ExecFileSyncOptions } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { chromium, type Page } from 'playwright-core';
import { browserProgram } from '../test/support/browser/browser.ts';

const longest = 300_000;
const folder = mkdtempSync(path.join(os.tmpdir(), 'assentry-first-request-'));
chmodSync(folder, 0o711); // as root, PostgreSQL's ordinary user walks through it
const checkout = path.join(folder, 'assentry');
const env = emptyHome();
const program = await browserProgram(); // unpacked before the clock runs: a new user has a browser
const begun = Date.now();
let server: ChildProcess | undefined;
try {
  await installAssentry();
  const link = await step('npm start', startServer);
  await approveFirst(link);
  const took = Date.now() - begun;
  if (took > longest) throw new TypeError(`It took ${seconds(took)}, which is too long.`);
  console.log(`From git clone to the first approved request in ${seconds(took)}.`);
} finally {
  await stop();
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 300 });
}

/** Of this machine's settings, only where npm finds packages; a port of its own, so that it disturbs no server. */
function emptyHome(): NodeJS.ProcessEnv {
  const home = path.join(folder, 'home');
  const bin = path.join(folder, 'bin');
  for (const name of [home, bin]) mkdirSync(name);
  const programs = [process.execPath, whereIs('npm'), '/bin/sh', '/usr/bin/env', whereIs('git'), whereIs('curl')];
  for (const file of programs) if (existsSync(file)) symlinkSync(file, path.join(bin, path.basename(file)));
  const registry = execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).trim();
  const data = { ASSENTRY_DATA_DIR: path.join(folder, 'data'), ASSENTRY_PORT: '0' };
  return {
    PATH: bin,
    HOME: home,
    npm_config_registry: registry,
    npm_config_loglevel: 'error',
    npm_config_update_notifier: 'false',
    ...data,
  };
}

function whereIs(name: string): string {
  return execFileSync('/bin/sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim();
}

async function installAssentry(): Promise<void> {
  const root = path.resolve(import.meta.dirname, '..');
  const quiet: ExecFileSyncOptions = { env, stdio: ['ignore', 'ignore', 'inherit'] };
  await step('git clone …/assentry', () => execFileSync('git', ['clone', '-q', `file://${root}`, checkout], quiet));
  await step('npm ci', () => execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { ...quiet, cwd: checkout }));
}

/** Builds, starts, and gives the link that the first line names. */
async function startServer(): Promise<string> {
  const started = spawn('npm', ['start'], { cwd: checkout, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  server = started;
  let said = '';
  for (const stream of [started.stdout, started.stderr]) stream.on('data', (text) => (said += String(text)));
  const file = await until(
    () => /(\/\S+set-up-link)\b/.exec(said)?.[1],
    () => said,
  );
  return readFileSync(file, 'utf8').trim();
}

async function approveFirst(link: string): Promise<void> {
  const browser = await chromium.launch(program);
  try {
    const phone = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true, locale: 'en' };
    const page = await (await browser.newContext(phone)).newPage();
    page.setDefaultTimeout(20_000);
    await setUp(page, link);
    const curl = await makeKey(page);
    const id = await step(`${curl.split(' \\')[0] ?? ''} …`, () => runInShell(curl));
    await approveInInbox(page);
    await step('the server that asks reads: accepted', () => readOutcome(curl, id));
  } finally {
    await browser.close();
  }
}

async function setUp(page: Page, link: string): Promise<void> {
  await step('open the link of the set-up', () => page.goto(link));
  await step('type name, email and password', async () => {
    await page.getByLabel('Name').fill('Ada Lovelace');
    await page.getByLabel('Email').fill('ada@example.com');
    await page.locator('[name=password]').fill('seven quiet otters paint');
  });
  await tap(page, 'Create administrator', () => page.getByRole('heading', { name: 'Get started' }).waitFor());
}

/** Gives the command that the checklist shows, with the key in it. */
async function makeKey(page: Page): Promise<string> {
  const code = page.locator('pre');
  await tap(page, 'Create key', () => page.getByText('It’s shown only once').waitFor());
  await tap(page, 'curl', () => code.filter({ hasText: 'curl' }).waitFor());
  return (await code.textContent()) ?? '';
}

/** Gives the id of the request that it opened. */
function runInShell(command: string): string {
  const answer = execFileSync('sh', ['-c', command], { env, encoding: 'utf8', stdio: 'pipe' });
  return (JSON.parse(answer) as { id: string }).id;
}

async function approveInInbox(page: Page): Promise<void> {
  const card = page.getByRole('button', { name: /^Approve/ });
  await step('tap “Go to the inbox”', async () => {
    await page.getByRole('link', { name: 'Go to the inbox' }).tap();
    await page.getByRole('link', { name: /Pay an invoice/ }).waitFor();
  });
  await step('tap the request', async () => {
    await page.getByRole('link', { name: /Pay an invoice/ }).tap();
    await card.waitFor();
  });
  await step(`tap “${await card.innerText()}”`, async () => {
    await card.tap();
    await page.getByText('Ada Lovelace approved').first().waitFor();
  });
}

/** Waits as a server does. */
async function readOutcome(curl: string, id: string): Promise<void> {
  const [, address = '', key = ''] = /(http\S+)[^]*(Bearer [^']+)/.exec(curl) ?? [];
  const headers = { authorization: key };
  const answer = await fetch(`${address}/${id}?wait=25`, { headers });
  const { status } = (await answer.json()) as { status: string };
  if (status !== 'accepted') throw new TypeError(`The request is ${status}.`);
}

async function tap(page: Page, name: string, seen: () => Promise<void>): Promise<void> {
  await step(`tap “${name}”`, async () => {
    await page.getByRole('button', { name, exact: true }).tap();
    await seen();
  });
}

async function stop(): Promise<void> {
  const running = server;
  if (running?.pid === undefined || running.exitCode !== null) return;
  const ended = new Promise((resolve) => running.once('close', resolve));
  process.kill(-running.pid, 'SIGTERM'); // npm and what it started
  await Promise.race([ended, sleep(15_000)]);
}

async function until<T>(find: () => T | undefined, said: () => string): Promise<T> {
  while (Date.now() < begun + longest) {
    const result = find();
    if (result !== undefined) return result;
    if (server?.exitCode != null) break;
    await sleep(100);
  }
  throw new TypeError(`It waited in vain:\n${said()}`);
}

async function step<T>(words: string, run: () => T): Promise<Awaited<T>> {
  const start = Date.now();
  const result = await run();
  console.log(`${seconds(Date.now() - start).padStart(8)}  ${words.replaceAll(folder, '…')}`);
  return result;
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`;
}
