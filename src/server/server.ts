import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import { createApp } from './api/app.ts';
import { createSmtpClient } from './channels/email/smtp-client.ts';
import { createChats } from './channels/chats.ts';
import { createEvidence } from '#core/audit/evidence';
import { refuseVariable, defaultLimits, defaultRates, type Config } from './config/config.ts';
import { defaultProxies } from './config/proxies.ts';
import { defaultPooling, defaultServing } from './config/serving.ts';
import { createAccessWatch } from './engine/access-watch.ts';
import { pushKeys } from './engine/notifications/devices.ts';
import type { Engine } from './engine/engine.ts';
import { createFeed } from './engine/feed.ts';
import { createHealth, warnOfCommands } from './engine/health.ts';
import { createReadiness } from './engine/log/readiness.ts';
import { createRules, formatErrors, type UnreadablePolicy } from './engine/rules.ts';
import { openHead, readKeptPlaces } from './installation/open-head.ts';
import { findStoreFault } from './installation/check-database.ts';
import { openInstallation, type Installation } from './installation/installation.ts';
import { closeListener, createListener, drain } from './listener.ts';
import { createLog } from './log.ts';
import type { Problem } from '#protocol/model/problem';
import { createOperator, type Operator } from './installation/operator.ts';
import { copyHeadsToBucket } from './config/head-bucket.ts';
import { copyHeads } from './config/head-copies.ts';
import { openWitnesses } from './installation/open-witnesses.ts';
import { createMetrics, type Metrics, type NodeMetrics } from './installation/metrics.ts';
import { recordSettings, sharedSettings } from './installation/record-settings.ts';
import { openSignIn } from './installation/open-sign-in.ts';
import { createTokenReader } from './installation/read-tokens.ts';
import { openWorkloads } from './installation/open-workloads.ts';
import { assertTls, surroundingsOf, type ServerOptions } from './installation/server-options.ts';
import { packageRoot } from './package/package-root.ts';
import { needlessRights } from './store/database/protections.ts';
import { openHeartbeat } from './store/database/database.ts';
import { noNotifier, startNotifier } from './store/database/notifier.ts';
import { readProofs } from './store/nodes.ts';
import { createStore, type Store } from './store/store.ts';
import type { OnCommit } from './store/transactor.ts';
import { version } from './package/version.ts';
import { createAlarm, type Alarm } from './worker/alarm.ts';
import { createChatLoop } from './worker/chat-loop.ts';
import { defaultSessions } from '#protocol/model/user';
import { createChangeLoop } from './worker/change-loop.ts';
import { createAccessLoop } from './worker/access-loop.ts';
import { createNotificationLoops } from './worker/notifications/notification-loops.ts';
import { createInsightLoop } from './worker/insight-loop.ts';
import { createKeyLoop } from './worker/key-loop.ts';
import { createReportLoop } from './worker/report-loop.ts';
import { withoutSign, type Loop } from './worker/loop.ts';
import { createPresenceLoop } from './worker/presence-loop.ts';
import { createProofLoop } from './worker/proof-loop.ts';
import { createStreamLoops } from './worker/streams/stream-loop.ts';
import { createSequencerLoop } from './worker/sequencer-loop.ts';
import { createStoringLoop } from './worker/storing-loop.ts';
import { createSurroundingsLoop, type Surroundings } from './worker/surroundings-loop.ts';
import { createTimerLoop } from './worker/timer-loop.ts';
import { createUpkeepLoops } from './worker/upkeep-loops.ts';
import { postOffer } from './worker/witness-client.ts';
import { createWitnessLoop, type CopyHead } from './worker/witness-loop.ts';

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

export type { Operator } from './installation/operator.ts';
export type { ServerOptions } from './installation/server-options.ts';

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
