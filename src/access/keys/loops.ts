import type { Logger } from 'pino';
import type { Engine } from '#platform/nodes/verbs/engine';
import { keysToRotate } from './verbs/keys.ts';
import { createLoop, type Loop } from '#platform/nodes/loops/loop';

/** Milliseconds. */
const every = 3_600_000;

/** Warns operators of keys that expire soon: in the log once for each key, at `/readyz` while it lasts. */
export function createKeyLoop(engine: Engine, log: Logger): Loop {
  const named = new Set<string>();
  return createLoop(every, log, 'keys that expire', () => warnOfKeys(engine, named, log));
}

/** `named` holds the keys that the log names already. */
export async function warnOfKeys(
  engine: Pick<Engine, 'servers' | 'now' | 'health'>,
  named: Set<string>,
  log: Pick<Logger, 'warn'>,
): Promise<void> {
  const { expiring: keys, unused } = await keysToRotate(engine);
  engine.health.countUnusedKeys(unused);
  const [next] = keys;
  if (next) engine.health.warn({ code: 'keys-expire', keys: keys.length, at: next.expiresAt });
  else engine.health.clear('keys-expire');
  for (const { kid, server, expiresAt } of keys.filter((key) => !named.has(key.kid))) {
    named.add(kid);
    const expires = new Date(expiresAt).toISOString();
    log.warn({ kid, server: server.name, expires }, 'rotate this key: it expires soon');
  }
}
