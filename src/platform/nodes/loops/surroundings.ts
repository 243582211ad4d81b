import type { Logger } from 'pino';
import { sendRequest } from '../../http/client/outgoing-request.ts';
import { isTrial } from '#policies/contract/policy';
import type { NodeWarning } from '../contract/node-warning.ts';
import { describeError, errorCodes } from '../../model/problem.ts';
import type { Engine } from '../verbs/engine.ts';
import { createLoop, type Loop } from './loop.ts';

/** Milliseconds between two checks, and before the first: a starting node has other work. */
const every = 600_000;
const afterStart = 30_000;
/** Milliseconds without a backup, a little more than a day. */
const longWithoutBackup = 26 * 3_600_000;

/** Needs of approvals outside of this process and the database. */
export interface Surroundings {
  /** Signs in at the mail server and sends nothing; null if no mail is sent. */
  verifyMail: (() => Promise<void>) | null;
  /** Would something outside the database notice a restored log: a kept head, copies or witnesses? */
  keepsHead: boolean;
  /** Address at which people reach the console; null if that is where the node listens. */
  publicUrl: string | null;
}

type SurroundingsEngine = Pick<
  Engine,
  'health' | 'providers' | 'environment' | 'readLastBackup' | 'readInstalledAt' | 'now'
>;

/**
 * Checks things that no request shows until they are needed, and warns of each failure: the mail server, identity providers,
 * the public address, the age of the backup, and a log without a head kept outside.
 */
export function createSurroundingsLoop(engine: SurroundingsEngine, surroundings: Surroundings, log: Logger): Loop {
  const { health } = engine;
  const looks: Record<SurroundingsCode, () => Promise<NodeWarning | null>> = {
    'mail-server-fails': () => mailFault(surroundings),
    'provider-fails': () => providerFault(engine),
    'address-fails': () => addressFault(surroundings),
    'backup-missing': () => backupFault(engine),
    'log-head-not-kept': async () =>
      surroundings.keepsHead || isTrial(engine.environment) ? null : { code: 'log-head-not-kept' },
  };
  const lookAround = async (): Promise<void> => {
    for (const [code, look] of Object.entries(looks) as [SurroundingsCode, () => Promise<NodeWarning | null>][]) {
      const warning = await look();
      if (warning === null) health.clear(code);
      else if (health.warn(warning)) log.warn(warning, 'the surroundings of this node need a look');
    }
  };
  return createLoop(every, log, 'the look at mail, providers, address and backup', lookAround, afterStart);
}

type SurroundingsCode = Extract<
  NodeWarning['code'],
  'mail-server-fails' | 'provider-fails' | 'address-fails' | 'backup-missing' | 'log-head-not-kept'
>;

const faultOf = (error: unknown): string => errorCodes(error)[0] ?? describeError(error);

async function mailFault({ verifyMail }: Surroundings): Promise<NodeWarning | null> {
  try {
    await verifyMail?.();
    return null;
  } catch (error) {
    return { code: 'mail-server-fails', fault: faultOf(error) };
  }
}

async function providerFault({ providers }: SurroundingsEngine): Promise<NodeWarning | null> {
  const away = await Promise.all(
    providers.map(({ discover, settings }) =>
      discover().then(
        () => [],
        () => [settings.name],
      ),
    ),
  );
  return away.flat().length === 0 ? null : { code: 'provider-fails', providers: away.flat().sort() };
}

/**
 * Fault of the public address. A node may be unable to reach it, so a refused or silent connection proves nothing. An
 * unresolved name, an invalid certificate and a foreign answer are the same from everywhere.
 */
async function addressFault({ publicUrl }: Surroundings): Promise<NodeWarning | null> {
  if (publicUrl === null) return null;
  const fault = (text: string): NodeWarning => ({ code: 'address-fails', fault: text });
  try {
    const answer = await sendRequest(new URL('/healthz', publicUrl), {}, { timeoutMs: 5_000, maxBytes: 65_536 });
    const { status } = (await answer.json().catch(() => ({}))) as { status?: unknown };
    return answer.ok && status === 'alive' ? null : fault(`HTTP ${answer.status}`);
  } catch (error) {
    const code = errorCodes(error).find((each) =>
      /^(ENOTFOUND|ERR_TLS_|ERR_SSL_|CERT_|DEPTH_|SELF_SIGNED_|UNABLE_TO_)/.test(each),
    );
    return code === undefined ? null : fault(code);
  }
}

async function backupFault(engine: SurroundingsEngine): Promise<NodeWarning | null> {
  if (isTrial(engine.environment)) return null;
  const at = await engine.readLastBackup();
  const since = at ?? (await engine.readInstalledAt());
  return since === null || engine.now() - since <= longWithoutBackup ? null : { code: 'backup-missing', at };
}
