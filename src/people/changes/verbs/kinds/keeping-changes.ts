import type { HoldId } from '#platform/model/id';
import { assertMay } from '#policies/deciding/verbs/rules/assert-may';
import { Problem } from '#platform/model/problem/problem';
import type { Engine } from '#platform/nodes/verbs/engine/engine';
import { eraseContent, type Erasure } from '#keeping/content/verbs/erase';
import { placeHold, releaseHold, type HoldRequest } from '#keeping/content/verbs/erase';
import { showHold } from '#keeping/content/verbs/holds';
import type { User } from '../../../directory/contract/user.ts';
import { changeKind } from './change-kind.ts';

/** Those who decide about content read which request it is, and nothing of it. */
type WantedErasure = Erasure & { server: string; tool: string };

/** The end of the content of one request, or of everything that its requester asked. */
export const erasingContent = changeKind({
  title: 'Erase content',
  act: eraseContent,
  facts: (_directory, change: WantedErasure) => change,
  changeIn: (facts) => facts,
  say: ({ request, of, server, tool }) =>
    `Erase the content of ${of === 'request' ? '' : 'everything that was asked by the requester of '}${request}, ${tool} of ${server}. It cannot be restored.`,
});

/** A legal hold, which keeps content from being erased. */
export const placingHold = changeKind({
  title: 'Place a legal hold',
  act: placeHold,
  facts: (_directory, change: HoldRequest) => change,
  changeIn: (facts) => facts,
  say: (hold) => `Keep ${formatScope(hold)}: nothing of it is erased. The reason: ${hold.reason}`,
});

type WantedRelease = HoldRequest & { hold: HoldId };

/** The end of a legal hold. */
export const releasingHold = changeKind({
  title: 'Release a legal hold',
  act: (engine, by, { hold }: WantedRelease) => releaseHold(engine, by, hold),
  facts: (_directory, change) => change,
  changeIn: (facts) => facts,
  say: (hold) => `Release the hold on ${formatScope(hold)}: it may be erased again. The reason was: ${hold.reason}`,
});

function formatScope({ scope, request, server }: HoldRequest): string {
  if (scope === 'everything') return 'all content';
  if (scope === 'server') return `the content of all requests of ${server}`;
  return scope === 'request' ? `the content of ${request}` : `everything that was asked by the requester of ${request}`;
}

/** What erasing this would be; problem `forbidden` for anyone but an administrator. */
export async function erasureOf(engine: Engine, by: User, erasure: Erasure): Promise<WantedErasure> {
  assertMay(by, 'hold-content');
  const row = await engine.reader.elicitation(erasure.request);
  if (!row) throw new Problem('not-found');
  return { ...erasure, server: row.serverName, tool: row.tool };
}

/** What releasing this hold would be; problem `forbidden` for anyone but an administrator. */
export async function releaseOf(engine: Engine, by: User, hold: HoldId): Promise<WantedRelease> {
  assertMay(by, 'hold-content');
  const { scope, request, server, reason } = await showHold(engine, hold);
  return { hold, scope, request, server, reason };
}
