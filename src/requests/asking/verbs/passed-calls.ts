import type { z } from 'zod';
import { actorOfServer, coversTool } from '#people/directory/verbs/scope';
import { auditEntry, type AuditEntry } from '#audit/entries/rules/entry';
import { sha256, sha256Hex } from '#platform/crypto/digest';
import { lookupHash, principalHash, type KeyRing } from '#platform/crypto/key-ring';
import { isInScope } from '../../stops/contract/stop.ts';
import type { Requester, ServerCaller } from '#people/directory/contract/user';
import { decide } from '#policies/deciding/rules/decide';
import { isAlwaysDenied } from '#policies/deciding/rules/always-denied';
import { ignoresArguments, isBelieved } from '#policies/deciding/rules/describe';
import { builtInPolicy } from '#policies/document/rules/verdict';
import type { StopRecord } from '../../stops/store.ts';
import type { PassedCallRow } from '#keeping/content/store';
import { factsOf } from '../../state/verbs/change.ts';
import type { Engine } from '#platform/nodes/verbs/engine';
import type { Rules } from '#policies/deciding/verbs/rules';
import {
  newDataKey,
  openDataKey,
  openOwner,
  sealJson,
  sealOwner,
  unsealJson,
  type DataKey,
  type KeyOwner,
} from '#platform/crypto/seal';
import { Problem } from '#platform/model/problem';
import type { WantedPass } from '../contract/routes.ts';

/** A policy allows the tool to this requester, whatever the arguments. */
interface Pass {
  policy: string;
}

/** The policies' verdict on a tool, for any arguments. */
interface PassVerdict {
  pass: Pass | null;
  isDenied: boolean;
  /** A published policy decides, whatever the tool claims. */
  isCovered: boolean;
}

/** Milliseconds a pass is good: what is stopped or no longer allowed stops within a second. */
export const passLasts = 900;

/**
 * Writes into the log what ran by passes, each call once however often it is reported, with its sealed arguments, and says which of the tools may
 * run on, and which never may. A pass is only for tools that say they only read, or that people believe to, and only if no argument and no
 * moment could change the policies' verdict.
 */
export async function renewPasses(
  engine: Engine,
  server: ServerCaller,
  requests: z.output<typeof WantedPass>[],
): Promise<PassVerdict[]> {
  const covered = requests.filter(({ tool }) => coversTool(server, tool.name));
  const reports = covered.flatMap((pass) => reportsOf(engine, server, pass));
  const rows = reports.flatMap(({ row }) => (row ? [row] : []));
  if (reports.length > 0)
    await engine.passedCalls.add(
      rows,
      reports.map(({ entry }) => entry),
    );
  const snapshot = await engine.rules.snapshot();
  const [rules, stops] = await Promise.all([snapshot.rules(), snapshot.stops()]);
  return requests.map((pass) =>
    coversTool(server, pass.tool.name) ? judge(engine, server, pass, rules, stops) : outOfScope,
  );
}

function judge(
  engine: Engine,
  { id: serverId, name: server, maker: keyMaker }: ServerCaller,
  { tool, requester }: z.output<typeof WantedPass>,
  { book, directory, shadows }: Rules,
  stops: StopRecord[],
): PassVerdict {
  const { name, schemaDigest: definition, annotations = {}, unaccepted, reaches, fits } = tool;
  const question = { ...anyCall, server, tool: name, definition, annotations, keyMaker, unaccepted, reaches, fits };
  const factsFor = (by: Requester) => factsOf({ ...question, requester: by }, directory, engine, engine.now());
  const facts = factsFor(requester);
  const verdict = decide(book, facts);
  const { outcome, risk, policy, sample } = verdict;
  const isCovered = policy !== builtInPolicy;
  if (outcome === 'deny')
    return { pass: null, isDenied: isAlwaysDenied(book, factsFor(asChecked(requester))), isCovered };
  // A version in shadow mode is to see every call, and so is the draw of those to look at later.
  const isHeld =
    shadows.length > 0 || sample !== null || stops.some((stop) => isInScope(stop, { serverId, tool: name }));
  const isReading = risk === 'low' || isBelieved(verdict);
  const isFree = outcome === 'allow' && isReading && !isHeld && ignoresArguments(book, facts);
  return { pass: isFree ? { policy } : null, isDenied: false, isCovered };
}

/** A call may bring the access token, by which Assentry checks the requester itself. */
const asChecked = (requester: Requester): Requester =>
  requester.verified && requester.issuer ? { ...requester, verifiedBy: requester.issuer } : requester;

/** A key for other tools can never call it. */
const outOfScope: PassVerdict = { pass: null, isDenied: true, isCovered: true };

/** A call asks with a form without fields. */
const anyCall = {
  arguments: {},
  mode: 'form',
  audience: 'approvers',
  reason: null,
  schema: { type: 'object', properties: {} },
} as const;

interface Report {
  entry: AuditEntry;
  /** Null without arguments. */
  row: PassedCallRow | null;
}

function reportsOf(
  engine: Engine,
  server: ServerCaller,
  { tool: { name: tool }, requester, ran }: z.output<typeof WantedPass>,
): Report[] {
  const requesterHash = principalHash(engine.ring, server.id, requester);
  const hash = requesterHash.toString('hex');
  const fields = { server: server.id, serverName: server.name, tool, requester: hash };
  const owner = { server: server.id, session: requester.subject };
  return ran.map(({ id: report, policy, run, arguments: args, length = 0 }) => {
    const [id, at] = [entryIdOf(server, report), engine.now()];
    const kept = args === undefined ? null : sealPassed(engine.ring, id, owner, { arguments: args, length, requester });
    const event = {
      type: 'call.passed',
      ...fields,
      policy,
      run: hashOfRun(engine, server, run),
      ...(kept && { said: kept.said }),
    } as const;
    const entry = auditEntry(id, at, actorOfServer(server), event);
    return { entry, row: kept && { id, serverId: server.id, tool, policy, requesterHash, at, ...kept.row } };
  });
}

/** A digest alone would tell the arguments to anyone who can guess them. */
const hashOfRun = ({ ring }: Engine, { id }: ServerCaller, run: string): string =>
  lookupHash(ring, 'access', 'run', id, run).toString('hex');

/** A report repeated by its server gets the same id. */
const entryIdOf = ({ id }: ServerCaller, report: string): AuditEntry['id'] =>
  `aud_${sha256(`assentry/passed/v1\n${id}\n${report}`).subarray(0, 16).toString('base64url')}`;

/** The kept content of a call that ran by a pass; stored only sealed. */
export interface PassedContent {
  /** The arguments as JSON, cut if they are too long. */
  arguments: string;
  /** Characters of the whole JSON. */
  length: number;
  requester: Requester;
}

type SealedCall = Pick<PassedCallRow, 'id' | 'owner' | 'dataKey'>;

const place = (row: string, column: string, table = 'passed_call') => ({ table, column, row });

/** The content under a new key of its own, and its digest, which the call's entry has. */
export function sealPassed(ring: KeyRing, id: string, owner: KeyOwner, content: PassedContent) {
  const { dataKey, wrapped } = newDataKey(ring, owner);
  const sealed = sealJson(dataKey, place(id, 'arguments'), content);
  const row = { owner: sealOwner(ring, place(id, 'owner'), owner), dataKey: wrapped, arguments: sealed };
  return { row, said: sha256Hex(sealed) };
}

/** Throws `content-erased` if its key was destroyed, and `sealed-unreadable` for anything but what was sealed for this call. */
export const openPassed = (ring: KeyRing, row: SealedCall & Pick<PassedCallRow, 'arguments'>): PassedContent =>
  unsealJson(dataKeyOf(ring, row), place(row.id, 'arguments'), row.arguments) as PassedContent;

export const sealPassedReason = (ring: KeyRing, row: SealedCall, user: string, reason: string): Buffer =>
  sealJson(dataKeyOf(ring, row), place(`${row.id}.${user}`, 'reason', 'passed_look'), reason);

function dataKeyOf(ring: KeyRing, { id, owner, dataKey }: SealedCall): DataKey {
  if (!dataKey) throw new Problem('content-erased');
  return openDataKey(ring, dataKey, openOwner(ring, place(id, 'owner'), owner));
}
