import type { Logger } from 'pino';
import type { WitnessAddress } from '../rules/notes.ts';
import type { Engine } from '#platform/nodes/verbs/engine';
import { offerCheckpoint, type Offered, type PostOffer, listWitnesses, witnessedHead } from '../verbs.ts';
import { createLoop, type Loop } from '#platform/nodes/loops/loop';
import { sendRequest } from '#platform/http/client/outgoing-request';

/** Milliseconds between two offers. */
const every = 10_000;
/** Milliseconds: a witness may restart before operators are warned. */
const maxSilentMs = 120_000;
/** Milliseconds between two copies of the head. */
const copyIntervalMs = 600_000;

/** Keeps a copy of a head outside the database. */
export type CopyHead = (size: number, note: string) => Promise<void>;

interface WitnessParts {
  engine: Engine;
  log: Logger;
  post: PostOffer;
  /** One for each place for copies. */
  copies: CopyHead[];
}

/**
 * Offers the head of the log to each witness. Every node does so for itself, even if nothing has grown: a witness that
 * disagrees shows that the database was put back or shows another past, and this node warns of it.
 */
export function createWitnessLoop({ engine, log, post, copies }: WitnessParts): Loop {
  const disagreeing = new Set<string>();
  const answeredAt = new Map(engine.witnesses.map(({ verifier }) => [verifier.name, engine.now()]));
  const offer = async (witness: WitnessAddress): Promise<void> => {
    const { name } = witness.verifier;
    const offered = await offerCheckpoint(engine, witness, post).catch((err: unknown): Offered => {
      log.warn({ err, witness: name }, 'a witness does not cosign; will try again');
      return 'refused';
    });
    if (offered !== 'refused') answeredAt.set(name, engine.now());
    if (offered === 'disagrees' && !disagreeing.has(name)) log.error({ witness: name }, disagreement);
    if (offered === 'disagrees') disagreeing.add(name);
    if (offered === 'forgot') log.error({ witness: name }, forgetting);
    if (offered === 'cosigned' || offered === 'forgot') disagreeing.delete(name);
  };
  let copyAt = 0;
  const loop = createLoop(every, log, 'the witnesses', async () => {
    await Promise.all(engine.witnesses.map(offer));
    engine.health.setWitnesses(await listWitnesses(engine));
    warnOf(engine, 'witness-disagrees', [...disagreeing]);
    warnOf(engine, 'witness-silent', silentAmong(answeredAt, engine.now()));
    if (performance.now() >= copyAt && (await copyLatest(engine, copies))) copyAt = performance.now() + copyIntervalMs;
  });
  const stop = async (): Promise<void> => {
    await loop.stop();
    await copyLatest(engine, copies).catch((err: unknown) => log.error({ err }, 'the last head could not be copied'));
  };
  return { ...loop, stop };
}

const silentAmong = (answeredAt: ReadonlyMap<string, number>, now: number): string[] =>
  [...answeredAt].flatMap(([name, at]) => (now - at > maxSilentMs ? [name] : []));

function warnOf({ health }: Engine, code: 'witness-disagrees' | 'witness-silent', witnesses: string[]): void {
  if (witnesses.length > 0) health.warn({ code, witnesses: witnesses.sort() });
  else health.clear(code);
}

/** With the cosignatures, if there are any of this head. Returns whether there was a head; no place waits for another. */
async function copyLatest(engine: Engine, copies: CopyHead[]): Promise<boolean> {
  const head = copies.length > 0 && (await engine.merkleLog.latest());
  if (!head) return false;
  const witnessed = await witnessedHead(engine, head.size - 1);
  await Promise.all(copies.map((copy) => copy(head.size, witnessed?.note ?? head.note)));
  return true;
}

const disagreement =
  'a witness has seen a longer log than the database holds, or another past: find out who put the database back';

const forgetting =
  'a witness has seen less than it has cosigned, and would have cosigned another past: find out who put it back';

/** Bytes; a cosignature needs some hundred. */
const maxAnswerBytes = 16 * 1024;

/** Sends an offer over HTTP. */
export const postOffer: PostOffer = async ({ url }, body) => {
  const limits = { maxBytes: maxAnswerBytes };
  const response = await sendRequest(`${url}/add-checkpoint`, { method: 'POST', body }, limits);
  return { status: response.status, body: await response.text() };
};
