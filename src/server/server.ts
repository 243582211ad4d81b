import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import { createApp } from '#platform/http/routes/app';
import { createSmtpClient } from '#notify/mail/channel/mail';
import { createChats } from '#notify/chat/channel/chats';
import { createEvidence } from '#audit/entries/rules/evidence';
import { refuseVariable, defaultLimits, defaultRates, type Config } from '#platform/config/config';
import { defaultProxies, defaultPooling, defaultServing } from '#platform/config/serving';
import { createAccessWatch } from '#audit/entries/verbs';
import { pushKeys } from '#notify/push/verbs';
import type { Engine } from '#platform/nodes/verbs/engine';
import { createFeed } from '#platform/nodes/verbs/feed';
import { createHealth, warnOfCommands } from '#platform/nodes/verbs/health';
import { createReadiness } from '#audit/verify/verbs/verify-log';
import { createRules, formatErrors, type UnreadablePolicy } from '#policies/deciding/verbs/rules';
import { openHead, readKeptPlaces } from '#audit/tree/wiring/head';
import { findStoreFault, recordSettings, sharedSettings } from './database.ts';
import { openInstallation, type Installation } from './installation.ts';
import { closeListener, createListener, drain } from '#platform/http/wiring';
import { createLog } from '#platform/process/log';
import type { Problem } from '#platform/model/problem';
import { createOperator, type Operator } from './operator.ts';
import { copyHeadsToBucket, copyHeads } from '#platform/config/heads';
import { openWitnesses } from '#audit/tree/wiring/witnesses';
import { createMetrics, type Metrics, type NodeMetrics } from '#platform/nodes/wiring';
import { openSignIn } from '#access/oidc/wiring';
import { openConnect } from '#connect/connections/wiring';
import { createTokenReader } from './keys.ts';
import { openWorkloads } from '#access/workloads/wiring';
import { assertTls, surroundingsOf, type ServerOptions } from './options.ts';
import { packageRoot, version } from '#platform/process/package';
import { needlessRights } from '#platform/database/rights';
import { openHeartbeat } from '#platform/database/database';
import { noNotifier, startNotifier } from '#platform/database/notifier';
import { readProofs } from '#platform/nodes/store';
import { createStore, type Store } from '#platform/database/store';
import type { OnCommit } from '#platform/database/transactor';
import { createAlarm, type Alarm, withoutSign, type Loop, createStoringLoop } from '#platform/nodes/loops/loop';
import { createChatLoop } from '#notify/chat/loops';
import { defaultSessions } from '#people/directory/contract/user';
import { createChangeLoop, createTimerLoop } from '#requests/state/loops';
import { createAccessLoop } from '#audit/entries/loops';
import { createNotificationLoops } from '#notify/loops';
import { createInsightLoop } from '#audit/reports/loops';
import { createKeyLoop } from '#access/keys/loops';
import { createOutcomeLoop } from '#connect/outcomes/loops';
import { createConnectionLoop } from '#connect/connections/loops';
import { createReportLoop } from '#requests/pages/loops';
import { createPresenceLoop } from '#platform/nodes/loops/dispatcher';
import { createProofLoop } from '#audit/verify/loops';
import { createStreamLoops } from '#audit/streams/loops';
import { createSequencerLoop } from '#audit/tree/loops/sequencer';
import { createSurroundingsLoop, type Surroundings } from '#platform/nodes/loops/surroundings';
import { createUpkeepLoops } from '#keeping/content/loops';
import { postOffer, createWitnessLoop, type CopyHead } from '#audit/tree/loops/witnesses';

export interface RunningServer extends Operator {
  /** The addresses where it listens and where people reach it. */
  url: string;
  engine: Engine;
  /** What this node counts itself. */
  readOwnMetrics(): Promise<NodeMetrics>;
  /** From here on `/readyz` says that the node is stopping; everything else goes on. */
  leave(): void;
  /** Resolves when every answer has been given, every stream has ended and the database is closed. */
  stop(): Promise<void>;
}

export type { Operator } from './operator.ts';
export type { ServerOptions } from './options.ts';

/** Builds everything once and serves until `stop`. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  assertTls(options);
  const log = createLog(options.logLevel);
  const onError = (err: unknown): void => log.warn({ err }, 'a connection to the database was lost');
  const node = randomUUID();
  const installation = await openInstallation({ ...options, node, onError });
  const closers: (() => Promise<void>)[] = [() => installation.close()];
  const stop = async (): Promise<void> => {
    for (const close of closers.splice(0).reverse()) await close();
  };
  try {
    return { ...(await build({ ...options, node }, installation, log, closers)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Milliseconds between two looks for changes of other nodes if they cannot notify. */
const withoutListening = 250;

type Closers = (() => Promise<void>)[];

type NodeOptions = ServerOptions & { node: string };

async function build(options: NodeOptions, installation: Installation, log: Logger, closers: Closers) {
  let url = options.publicUrl ?? `http://${options.host}:${options.port}`;
  const [metrics, alarm] = [createMetrics(version, options.worker?.name), createAlarm()];
  const engine = await buildEngine(options, installation, log, { publicUrl: () => url, closers, metrics, alarm });
  const head = await openHead(engine, installation.headFile, await readKeptPlaces(options));
  await recordSettings(engine, options, { version, keepsHead: installation.headFile !== null });
  const serving = { ...defaultServing, ...options.serving };
  const [leaving, shutdown] = [new AbortController(), new AbortController()];
  setMaxListeners(0, shutdown.signal); // every open stream listens to it
  const chats = createChats(options, engine.now);
  const heartbeat = openHeartbeat(installation.databaseUrl, options.pooling?.isPooled ?? false);
  closers.push(() => heartbeat.close());
  const app = createApp({
    engine,
    chats,
    leaving: leaving.signal,
    shutdown: shutdown.signal,
    log,
    version,
    consoleDirectory,
    trustedProxies: options.trustedProxies ?? defaultProxies,
    rates: { ...defaultRates, ...options.rates },
    heartbeat: serving.heartbeat,
    metricsToken: options.metricsToken ?? null,
    checkReadiness: createReadiness({ nodes: { proofs: () => readProofs(heartbeat.query) }, ring: installation.ring }),
    readMetrics: async () =>
      metrics.read({ ...engine, clock: installation.clock }, (await options.worker?.readOthers()) ?? []),
    onProblem: metrics.answered,
  });
  const http = createListener((request, response) => void app(request, response), serving, log);
  // Only now: a connection that nothing serves yet would hang. A port of its own is known before the first request.
  const listening = await listenOn(http, options);
  url = options.publicUrl ?? listening;
  closers.push(() => closeListener(http));
  for (const loop of createLoops(options, installation, engine, { log, alarm, chats, head })) {
    loop.start();
    closers.push(() => loop.stop());
  }
  closers.push(() => drain(http, shutdown, serving.drainTimeout));
  return { url, engine, readOwnMetrics: metrics.readOwn, leave: () => leaving.abort(), ...createOperator(engine) };
}

interface LoopParts {
  log: Logger;
  alarm: Alarm;
  chats: ReturnType<typeof createChats>;
  /** The latest head of the log that this node has kept. */
  head: Awaited<ReturnType<typeof openHead>>;
}

/** What a node does besides answering requests; the first says that it lives, and how the others do. */
function createLoops(
  options: NodeOptions,
  { clock, database, databaseUrl, headFile }: Installation,
  engine: Engine,
  { log, alarm, chats, head }: LoopParts,
): Loop[] {
  const { node, smtp = null, webhooks = { networks: [] } } = options;
  const write = async (note: string): Promise<void> => headFile?.write(note);
  const loops = [
    createTimerLoop(engine, alarm, log),
    createSequencerLoop(engine, log, { kept: head, write }),
    createAccessLoop(engine, log),
    createProofLoop(engine, node, log),
    createWitnessLoop({ engine, log, post: postOffer, copies: copiesOf(options, engine.now) }),
    ...(options.streams ? createStreamLoops(engine, node, options.streams, log) : []),
    createChangeLoop(engine, log),
    createKeyLoop(engine, log),
    createReportLoop(engine, log),
    createConnectionLoop(engine, log),
    createOutcomeLoop(engine, log),
    createInsightLoop(engine, log),
    createStoringLoop(
      engine.health,
      () => findStoreFault(database, databaseUrl, { ...defaultPooling, ...options.pooling }),
      log,
    ),
    createSurroundingsLoop(engine, surroundingsOfNode(options, headFile), log),
    ...createUpkeepLoops(engine, log),
    ...(chats.length > 0 ? [createChatLoop({ engine, chats, log })] : []),
    ...createNotificationLoops(engine, node, { smtp, webhooks }, log),
  ];
  const settings = sharedSettings(options, version);
  return [createPresenceLoop({ ...engine, clock }, { node, settings, others: loops }, log), ...loops];
}

const surroundingsOfNode = (options: NodeOptions, headFile: Installation['headFile']): Surroundings => ({
  publicUrl: options.publicUrl,
  keepsHead:
    headFile !== null || Boolean(options.logCopies ?? options.logBucket) || (options.witnesses ?? []).length > 0,
  verifyMail: options.smtp ? createSmtpClient(options.smtp).verify : null,
});

const copiesOf = ({ logCopies, logBucket }: ServerOptions, now: () => number): CopyHead[] => [
  ...(logCopies ? [copyHeads(logCopies)] : []),
  ...(logBucket ? [copyHeadsToBucket(logBucket, now)] : []),
];

async function buildEngine(
  options: ServerOptions,
  { database, databaseUrl, ring, clock }: Installation,
  log: Logger,
  { publicUrl, closers, metrics, alarm }: { publicUrl: () => string; closers: Closers; metrics: Metrics; alarm: Alarm },
): Promise<Engine> {
  const onError = (err: unknown): void => log.warn({ err }, 'the outbox could not be read; will try again');
  const evidence = createEvidence(ring, (row) => log.error({ row }, unproven));
  const onCommit: OnCommit = (events, hasOthers) => {
    feed.publish(events);
    if (hasOthers) notifier.announce();
  };
  const needless = await needlessRights(database.prisma);
  if (needless.length > 0)
    log.warn({ needless }, 'this node has rights on the log that it does not need: see docs/audit/verification.md');
  ring.onUnreadable((row) => {
    metrics.unreadable();
    log.error({ row }, unreadable);
  });
  const stored: Store = createStore(database, { evidence, onCommit });
  const store = { ...stored, transactor: alarm.watching(metrics.counting(stored.transactor)) };
  const isAlone = options.listenUrl === 'off';
  const feed = createFeed(store.outbox, { every: isAlone ? withoutListening : withoutSign, onError });
  const listenUrl = options.listenUrl ?? databaseUrl;
  const notifier = isAlone ? noNotifier : await startNotifier(database, listenUrl, { onWake: feed.wake, onError });
  closers.push(() => notifier.close());
  await feed.start();
  closers.push(() => feed.stop());
  const surroundings = surroundingsOf(options);
  const health = createHealth(clock.now);
  const rules = createRules(store, surroundings.environment, {
    onUnreadable: (policy) => logUnreadable(log, policy),
    onCommandsByPart: (policies) => warnOfCommands(health, policies),
  });
  await rules.current().catch(() => {}); // what cannot be read is logged now, and is the error of whatever needs it
  await pushKeys({ ...store, ring }); // made before the first browser asks
  return {
    ...store,
    feed,
    ring,
    rules,
    limits: { ...defaultLimits, ...options.limits },
    sessions: { ...defaultSessions, ...options.sessions },
    ...surroundings,
    now: clock.now,
    readToken: createTokenReader(options.tokenSources ?? {}, clock.now),
    ...openWorkloads(options, clock.now),
    ...openSignIn(options, clock.now),
    ...openConnect(options, { ...store, ring, now: clock.now, publicUrl }),
    health,
    access: createAccessWatch({ ...store, ring, now: clock.now, warn: (line) => log.warn(line, 'access') }),
    publicUrl,
    sendsMails: Boolean(options.smtp),
    witnesses: openWitnesses(options.witnesses),
  };
}

const unreadable =
  'a stored value does not open: it was changed, or sealed under a secret that this node does not have';

const unproven =
  'a stored row does not match the log, and nothing is decided or delivered by it: run "assentry audit verify"';

function logUnreadable(log: Logger, { policy, isShadow, errors }: UnreadablePolicy): void {
  const line = { policy, errors: formatErrors(errors) };
  if (isShadow) log.warn(line, 'a version in shadow mode cannot be read and is skipped');
  else log.error(line, 'a published policy cannot be read: no request opens until another version of it is published');
}

const consoleDirectory = fileURLToPath(new URL('dist/web', packageRoot));

function listenOn(http: Server, { host, port }: Pick<Config, 'host' | 'port'>): Promise<string> {
  return new Promise((resolve, reject) => {
    http.once('error', (cause: NodeJS.ErrnoException) => reject(cannotListen(host, port, cause)));
    http.listen(port, host, () => {
      const address = http.address() as AddressInfo;
      resolve(`http://${address.family === 'IPv6' ? `[${address.address}]` : address.address}:${address.port}`);
    });
  });
}

function cannotListen(host: string, port: number, cause: NodeJS.ErrnoException): Problem {
  switch (cause.code) {
    case 'EADDRINUSE':
      return refuseVariable(
        'ASSENTRY_PORT',
        `${port}, where something listens already`,
        'give a free one, or 0 for any',
      );
    case 'EACCES':
      return refuseVariable('ASSENTRY_PORT', `${port}, which this user may not open`, 'give one above 1023');
    default:
      return refuseVariable(
        'ASSENTRY_HOST',
        `${host}, which is no address of this machine (${cause.code})`,
        'give 127.0.0.1 for this machine alone, 0.0.0.0 for every network',
      );
  }
}
