import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { parse, parseAllDocuments } from 'yaml';
import { variableNames, type VariableName } from '#platform/config/env';
import { readServing, defaultServing } from '#platform/config/serving';
import { problemStatus } from '#platform/http/contract/problem';
import { routes } from '#platform/http/contract/openapi';
import { killProcesses, serveAssentry } from '../cli/assentry-process.ts';
import { freshDatabase } from '../support/databases/database.ts';
import { nodeUrl } from '../support/databases/node-login.ts';
import { newFolder } from '../support/new-folder.ts';
import { freePort } from '../support/nodes/free-port.ts';

const database = await freshDatabase();
afterAll(async () => {
  await killProcesses();
  await database.drop();
});

const read = (file: string): string => readFileSync(file, 'utf8');
const secrets = 'k1:a-secret-for-tests-of-enough-characters';
/** What `npm test` runs is not built. */
const source = ['src/cli/main.ts'];
const metricsToken = 'a-token-for-operators-of-32-characters';

describe('deploy/alerts.yml', () => {
  interface Rule {
    alert: string;
    expr: string;
    labels: { severity: string };
    annotations: { summary: string };
  }
  const { groups } = parse(read('deploy/alerts.yml')) as { groups: { rules: Rule[] }[] };
  const rules = groups.flatMap((group) => group.rules);
  /** As Prometheus names them, without its functions, labels and texts. */
  const namesIn = ({ expr }: Rule): string[] => expr.match(/\b(?:assentry|process|nodejs)_\w+/g) ?? [];

  test('names only metrics, labels and problems that a node has', async () => {
    const env = {
      DATABASE_URL: nodeUrl(database.url),
      ASSENTRY_SECRETS: secrets,
      ASSENTRY_METRICS_TOKEN: metricsToken,
    };
    const server = await serveAssentry(env, source);
    const answer = await fetch(`${server.url}/metrics`, { headers: { authorization: `Bearer ${metricsToken}` } });
    const text = await answer.text();
    await server.end('SIGTERM');
    const served = new Set([...text.matchAll(/^# TYPE (\S+) /gm)].map(([, name]) => name));
    expect(rules.length).toBeGreaterThan(10);
    for (const rule of rules) {
      const names = namesIn(rule);
      expect([rule.alert, names.filter((name) => !served.has(name))]).toEqual([rule.alert, []]);
      expect([rule.alert, names.length > 0 || rule.expr.includes('up{job="assentry"}')]).toEqual([rule.alert, true]);
      const codes = [...rule.expr.matchAll(/code="([^"]*)"/g)].map(([, code]) => code);
      expect(codes.filter((code) => !(code! in problemStatus))).toEqual([]);
      expect(rule.expr.split('(').length).toBe(rule.expr.split(')').length);
    }
    for (const [, label] of rules
      .map(({ expr }) => expr)
      .join()
      .matchAll(/by \((\w+)\)/g))
      expect(read('src/platform/nodes/wiring.ts')).toContain(`'${label}'`);
  });

  test('says of each alarm how urgent it is and what to do', () => {
    const page = read('docs/operations.md');
    for (const { alert, labels, annotations } of rules) {
      expect([alert, labels.severity]).toEqual([alert, expect.stringMatching(/^(page|ticket)$/)]);
      expect(annotations.summary).toMatch(/\.$/);
      expect([alert, page.includes(`\`${alert}\``)]).toEqual([alert, true]);
    }
  });
});

describe('deploy/assentry.service', () => {
  test('starts a node with the options of Node.js and of its allocator that the image has', () => {
    const [, options, arenas] =
      /^ENV NODE_OPTIONS="(.+)"\n(?:#.*\n)?ENV (MALLOC_ARENA_MAX=\d)$/m.exec(read('Dockerfile')) ?? [];
    expect(options).toContain('--max-old-space-size=');
    const unit = read('deploy/assentry.service').split('\n');
    expect(unit).toEqual(expect.arrayContaining([`Environment="NODE_OPTIONS=${options}"`, `Environment=${arenas}`]));
  });
});

describe('deploy/kubernetes.yaml', () => {
  const text = read('deploy/kubernetes.yaml');
  const documents = parseAllDocuments(text);
  const objects = documents.map((document) => document.toJS() as Manifest);
  const find = (kind: string): Manifest => objects.find((object) => object.kind === kind)!;
  const [job, deployment] = [find('Job'), find('Deployment')];
  const pods = [job, deployment].map(({ spec }) => spec.template!);
  const containers = pods.flatMap(({ spec }) => spec.containers);
  const node = deployment.spec.template!.spec.containers[0]!;
  const settings = find('ConfigMap').data!;

  test('is YAML without a fault, and without a secret', () => {
    expect(documents.flatMap(({ errors, warnings }) => [...errors, ...warnings])).toEqual([]);
    expect(objects.map(({ kind }) => kind).sort()).toEqual([
      'ConfigMap',
      'Deployment',
      'Job',
      'NetworkPolicy',
      'PodDisruptionBudget',
      'Service',
      'ServiceAccount',
    ]);
    expect(containers.flatMap(({ env }) => env).filter(({ valueFrom }) => !valueFrom?.secretKeyRef)).toEqual([]);
    const settable = Object.keys(settings).filter((name) => /SECRET|TOKEN|PASSWORD|DATABASE_URL|KEY/.test(name));
    expect(settable).toEqual([]);
  });

  test('names only variables that are read, and secrets that its head says how to make', () => {
    const names = [...Object.keys(settings), ...containers.flatMap(({ env }) => env.map(({ name }) => name))];
    expect(names.filter((name) => name !== 'NODE_PASSWORD' && !variableNames.includes(name as VariableName))).toEqual(
      [],
    );
    for (const { valueFrom } of containers.flatMap(({ env }) => env)) {
      const { name, key } = valueFrom!.secretKeyRef;
      expect(text).toMatch(new RegExp(`create secret generic ${name}[^#]*(#[^#]*)*?--from-literal=${key}=`));
    }
  });

  test('runs nothing as root, on a read-only file system, without privileges', () => {
    for (const { spec } of pods) {
      expect(spec.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000 });
      expect(spec.securityContext).toMatchObject({ seccompProfile: { type: 'RuntimeDefault' } });
    }
    expect(read('Dockerfile')).toContain('USER 1000:1000');
    for (const { securityContext, volumeMounts } of containers) {
      expect(securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      expect(volumeMounts.map(({ mountPath }) => mountPath)).toEqual(['/tmp']);
    }
    expect(find('ServiceAccount')).toMatchObject({ automountServiceAccountToken: false });
  });

  test('asks the paths that tell whether a node lives and is ready, and gives it time to stop', () => {
    const { isAlive, isReady } = routes;
    expect([node.startupProbe, node.livenessProbe, node.readinessProbe].map((probe) => probe?.httpGet)).toEqual([
      { path: isAlive.path, port: 'http' },
      { path: isAlive.path, port: 'http' },
      { path: isReady.path, port: 'http' },
    ]);
    const grace = Number(settings['ASSENTRY_SHUTDOWN_GRACE']) * 1000;
    const { drainTimeout } = { ...defaultServing, ...readServing(settings) };
    const { terminationGracePeriodSeconds: seconds = 0 } = deployment.spec.template!.spec;
    expect(seconds * 1000).toBeGreaterThanOrEqual(2 * (grace + drainTimeout));
  });

  test('keeps a node while others are replaced, and its parts find each other', () => {
    const { labels } = deployment.spec.template!.metadata;
    expect(deployment.spec).toMatchObject({ selector: { matchLabels: labels }, strategy: { type: 'RollingUpdate' } });
    expect(find('PodDisruptionBudget').spec).toMatchObject({ minAvailable: 1, selector: { matchLabels: labels } });
    expect(Number(deployment.spec.replicas)).toBeGreaterThan(1);
    expect(find('Service').spec).toMatchObject({ selector: labels });
    expect(find('NetworkPolicy').spec).toMatchObject({ podSelector: { matchLabels: labels } });
    expect(job.spec.template!.metadata.labels).not.toEqual(labels);
    expect(new Set(containers.map(({ image }) => image)).size).toBe(1);
  });

  test('starts a node that finds no place to write to', async () => {
    const [, , command, ...flags] = node.args;
    expect([command, flags]).toEqual(['serve', ['--wait=60']]);
    // Below a device there is no directory, not even for root.
    const nowhere = { HOME: '/dev/null/none', ASSENTRY_DATA_DIR: '/dev/null/none', TMPDIR: '/dev/null/none' };
    const port = String(await freePort());
    const own = { ...settings, ...nowhere, DATABASE_URL: nodeUrl(database.url), ASSENTRY_SECRETS: secrets };
    const server = await serveAssentry(
      { ...own, ASSENTRY_SHUTDOWN_GRACE: '0', ASSENTRY_PORT: port, ASSENTRY_ENVIRONMENT: 'production' },
      source,
      flags,
    );
    expect((await fetch(`http://127.0.0.1:${port}${routes.isReady.path}`)).status).toBe(200);
    expect(await server.end('SIGTERM')).toMatchObject({ code: 0 });
  });
});

describe('.github/workflows', () => {
  interface Job {
    needs?: string;
    permissions?: Record<string, string>;
    steps: { name?: string; uses?: string; run?: string }[];
  }
  interface Workflow {
    permissions: Record<string, string>;
    jobs: Record<string, Job>;
  }
  const workflows = readdirSync('.github/workflows').map(
    (file) => parse(read(`.github/workflows/${file}`)) as Workflow,
  );

  test('run actions of exactly one commit, for a tag can be moved', () => {
    const used = workflows.flatMap(({ jobs }) =>
      Object.values(jobs).flatMap(({ steps }) => steps.flatMap(({ uses = [] }) => uses)),
    );
    expect(used.length).toBeGreaterThan(3);
    expect(used.filter((action) => !/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/.test(action))).toEqual([]);
  });

  test('publish only what has passed the tests, and let no other job write', () => {
    for (const { permissions, jobs } of workflows) {
      expect(permissions).toEqual({ contents: 'read' });
      for (const { needs = '', permissions: own, steps } of Object.values(jobs)) {
        const publishes = steps.some(({ run = '' }) => run.includes('publish'));
        expect(own === undefined).toBe(!publishes);
        if (publishes) expect(jobs[needs]?.steps.map(({ run }) => run)).toContain('bash .ci/run');
        const [signed, published] = ['verify-tag', 'publish'].map((word) =>
          steps.findIndex(({ run = '' }) => run.includes(word)),
        );
        if (publishes) expect(published).toBeGreaterThan(signed!);
        if (publishes) expect(signed).toBeGreaterThan(-1);
      }
    }
  });

  test('publish no tag that none of the maintainers has signed', () => {
    const folder = newFolder();
    const git = (...words: string[]) => execFileSync('git', ['-C', folder, ...words], { stdio: 'pipe' });
    const [own, other] = ['own', 'other'].map((name) => path.join(folder, name));
    for (const key of [own!, other!]) execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', key]);
    git('init', '--quiet');
    git('remote', 'add', 'origin', folder);
    const me = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', '-c', 'gpg.format=ssh'];
    git(...me, 'commit', '--quiet', '--allow-empty', '-m', 'one');
    for (const [tag, key] of [
      ['signed', own],
      ['forged', other],
    ])
      git(...me, '-c', `user.signingkey=${key}`, 'tag', '-s', tag!, '-m', tag!);
    git(...me, 'tag', '-a', 'unsigned', '-m', 'unsigned');
    git('tag', 'bare');
    const [step] = workflows.flatMap(({ jobs }) =>
      Object.values(jobs).flatMap(({ steps }) => steps.filter(({ name }) => name === 'signed tag')),
    );
    const SIGNERS = `ada@example.com ${readFileSync(`${own}.pub`, 'utf8')}`;
    const passes = (tag: string, signers = SIGNERS) => {
      const env = { ...process.env, GITHUB_REF_NAME: tag, RUNNER_TEMP: folder, SIGNERS: signers };
      return spawnSync('bash', ['-e', '-c', step?.run ?? ''], { cwd: folder, env }).status === 0;
    };
    expect(['signed', 'forged', 'unsigned', 'bare'].map((tag) => passes(tag))).toEqual([true, false, false, false]);
    expect(passes('signed', '')).toBe(false);
  });
});

interface Manifest {
  kind: string;
  data?: Record<string, string>;
  spec: { replicas?: number; template?: Pod; [more: string]: unknown };
}

interface Pod {
  metadata: { labels: Record<string, string> };
  spec: { securityContext: object; terminationGracePeriodSeconds?: number; containers: Container[] };
}

interface Container {
  image: string;
  args: string[];
  env: { name: string; valueFrom?: { secretKeyRef: { name: string; key: string } } }[];
  securityContext: object;
  volumeMounts: { mountPath: string }[];
  startupProbe?: Probe;
  livenessProbe?: Probe;
  readinessProbe?: Probe;
}

interface Probe {
  httpGet: { path: string; port: string };
}
