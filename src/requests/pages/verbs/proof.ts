import type { KeyRing } from '#platform/crypto/key-ring';
import { mintToken } from '#access/tokens/rules';
import type { ElicitationRow } from '../../state/store/row.ts';
import { openQuestion, ownerOf, type Question, cells } from '../../asking/verbs/question.ts';
import { equalBytes, newOneTimeCode, hashSecret } from '#platform/crypto/random';
import { sha256 } from '#platform/crypto/digest';
import { isSame, type Identity } from '#platform/model/identity';
import { isLoopback } from '#platform/model/names';
import type { PageProof, TryCount, TryCounts, TryLimits } from '../store/proofs.ts';
import type { Engine } from '#platform/nodes/verbs/engine';

type Addressed = Pick<
  ElicitationRow,
  'id' | 'owner' | 'dataKey' | 'payload' | 'mode' | 'status' | 'audience' | 'deadlineAt'
>;

/**
 * Address for the requester of an open question in URL mode: our hosted page or, in front of an outside address, the
 * connect page; otherwise null. Approvers read the outside address itself.
 */
export function requesterAddress(engine: { ring: KeyRing; publicUrl(): string }, row: Addressed): string | null {
  if (row.mode !== 'url' || row.status !== 'open' || !row.dataKey) return null;
  const { url, expects } = openQuestion(engine.ring, row);
  if (row.audience !== 'requester') return url;
  if (url === null && !expects) return pageAddress(engine.publicUrl(), tokenFor(engine.ring, row, 'page'));
  return `${engine.publicUrl()}/go/${tokenFor(engine.ring, row, 'connect')}`;
}

/** Made at each read, so that it lives as long as the question, even if the deadline is moved. */
export function tokenFor(
  ring: KeyRing,
  row: Pick<ElicitationRow, 'id' | 'owner' | 'deadlineAt'>,
  purpose: 'page' | 'connect',
): string {
  const { session } = ownerOf(ring, row);
  return mintToken(ring, { session, elicitation: row.id, purpose, expiresAt: row.deadlineAt });
}

export const pageAddress = (publicUrl: string, token: string): string => `${publicUrl}/e/${token}`;
export const callbackAddress = (publicUrl: string, token: string): string => `${publicUrl}/callback/${token}`;

/** The evidence of the person who opens a hosted page. */
interface Evidence {
  /** The typed code. */
  code?: string | undefined;
  /** Identities of the person signed in at the console in the same browser. */
  names?: readonly Identity[];
}

/** Proof that the opener of a hosted page is the person who was asked. A link alone is never enough. */
interface RequesterProof {
  /**
   * `code`: the digits the MCP client showed; `session`: their own sign-in at the console; `closed`: there is no way.
   */
  readonly way: 'code' | 'session' | 'closed';
  isGivenBy(evidence: Evidence): boolean;
}

/**
 * The proof that fits: on the requester's own machine the code that only the asking server has; elsewhere the sign-in
 * of the person who is known by the verified issuer and subject; otherwise the page is closed.
 */
export function requesterProof(
  publicUrl: string,
  { code, requester }: Pick<Question, 'code' | 'requester'>,
): RequesterProof {
  if (isLoopback(publicUrl)) return code ? proofByCode(code) : closed;
  return requester.verified ? proofBySession(requester) : closed;
}

const closed: RequesterProof = { way: 'closed', isGivenBy: () => false };

const proofByCode = (code: string): RequesterProof => ({
  way: 'code',
  // Digests have one length, so that the time reveals nothing, not even the length of the input.
  isGivenBy: (evidence) => equalBytes(sha256(digitsOf(evidence.code ?? '')), sha256(code)),
});

/** An address is a name without an issuer: a person who has it at an issuer may be someone else. */
const proofBySession = (requester: Identity): RequesterProof => ({
  way: 'session',
  isGivenBy: ({ names = [] }) => names.some((name) => isSame(name, requester)),
});

/** People copy codes with spaces and hyphens. */
const digitsOf = (typed: string): string => typed.replaceAll(/[\s-]/g, '');

/** The code for the asking server to show at the client; nothing if the page does not open by a code. */
export async function pageCode(engine: Engine, row: ElicitationRow): Promise<{ code?: string }> {
  if (!opensByCode(engine, row)) return {};
  return codeIn(engine, row, await engine.pageProofs.find(row.id));
}

/**
 * The page code for a client that asks again. A worn-out code is replaced first, so that guesses of it are worth
 * nothing. Clients that ask at once all get the same one.
 */
export async function renewedPageCode(engine: Engine, row: ElicitationRow): Promise<{ code?: string }> {
  if (!opensByCode(engine, row)) return {};
  const proof = await engine.pageProofs.find(row.id);
  if (!proof || proof.attempts < tryLimits.worn) return codeIn(engine, row, proof);
  const code = newOneTimeCode();
  const sealed = cells.code.seal(engine.ring, row, row.id, code);
  const isNew = await engine.pageProofs.renewCode(row.id, sealed, tryLimits.worn);
  return isNew ? { code } : pageCode(engine, row);
}

/** The code of a question that was just opened. */
export function firstPageCode(engine: Engine, row: ElicitationRow): { code?: string } {
  return opensByCode(engine, row) ? codeIn(engine, row, null) : {};
}

/** The proof that this page asks of its requester, by the code that is valid now. */
export function pageProofOf(engine: Engine, row: ElicitationRow, proof: PageProof | null): RequesterProof {
  const question = openQuestion(engine.ring, row);
  return requesterProof(engine.publicUrl(), { ...question, code: codeIn(engine, row, proof).code ?? null });
}

const opensByCode = (engine: Engine, row: ElicitationRow): boolean =>
  requesterProof(engine.publicUrl(), openQuestion(engine.ring, row)).way === 'code';

function codeIn({ ring }: Engine, row: ElicitationRow, proof: PageProof | null): { code?: string } {
  const code = proof?.code ? cells.code.open(ring, row, row.id, proof.code) : openQuestion(ring, row).code;
  return code === null ? {} : { code };
}

/**
 * Limits on tries of a code: a mistyped one locks its own browser for ten minutes, and strangers with the link lock that
 * link. Of a million codes, 100 tries of a link hit one in ten thousand.
 */
export const tryLimits: TryLimits = { windowMs: 600_000, browser: 5, link: 20, total: 100, worn: 5 };

/** A lock that keeps a browser from trying a code. */
export interface CodeLock {
  /** Milliseconds until the link takes a code again; null if it never does. */
  opensIn: number | null;
}

/** Null while the browser has tries left. Of a known browser, only its own tries count. */
export function lockOf({ own, all }: TryCounts, { isKnown, now }: { isKnown: boolean; now: number }): CodeLock | null {
  if (!isKnown && all !== null && all.total >= tryLimits.total) return { opensIn: null };
  const waits = [waitOf(own, tryLimits.browser, now), isKnown ? 0 : waitOf(all, tryLimits.link, now)];
  const opensIn = Math.max(...waits);
  return opensIn > 0 ? { opensIn } : null;
}

/** Tries that this browser has left now. */
export function triesLeft({ own, all }: TryCounts, { isKnown, now }: { isKnown: boolean; now: number }): number {
  const left = [tryLimits.browser - triesIn(own, now)];
  if (!isKnown) left.push(tryLimits.link - triesIn(all, now), tryLimits.total - (all?.total ?? 0));
  return Math.max(0, Math.min(...left));
}

/** Has this browser given the right code before another one took the page over? */
export const isKnownBrowser = (proof: PageProof | null, secret: string): boolean => {
  const hash = hashSecret(secret);
  return proof?.formerHashes.some((former) => hash.equals(former)) ?? false;
};

const endOf = ({ since }: TryCount): number => since + tryLimits.windowMs;

const triesIn = (count: TryCount | null, now: number): number => (count && endOf(count) > now ? count.tries : 0);

const waitOf = (count: TryCount | null, most: number, now: number): number =>
  count && triesIn(count, now) >= most ? endOf(count) - now : 0;
