import { sha256 } from '#platform/crypto/digest';
import { newId } from '#platform/crypto/random';
import type { ElicitationId } from '#platform/model/id';
import { Problem } from '#platform/model/problem';
import type { Alone, User } from '#people/directory/contract/user';
import { alwaysConditions, type AlwaysCondition, type AlwaysKind } from '../../language/rules/always.ts';
import type { Facts } from '../../document/rules/document/facts.ts';
import { askedIn, factsOf } from '#requests/state/verbs/change/facts';
import type { Engine } from '#platform/nodes/verbs/engine';
import { guardPower, needsSecond } from '#people/directory/verbs/directory';
import { aboutVersion, changePolicy } from '../draft/change-policy.ts';
import { newVersion, saveDraft, type VersionPlace } from '../draft/draft-policy.ts';
import { digestDocument, readPolicy } from '../simulate/read-policy.ts';
import { submitVersion } from '../check/review-policy.ts';

/** A policy by which calls like one that was asked about would run, and by what people know it. */
interface AlwaysChoice {
  kind: AlwaysKind;
  value: string;
  tools: string[];
  policy: string;
  document: string;
}

const day = 86_400_000;

/** The policies that can be written from this request, the narrowest first, each for so many days. */
export async function alwaysChoices(engine: Engine, id: ElicitationId, days: number): Promise<AlwaysChoice[]> {
  const row = await engine.reader.elicitation(id);
  if (!row) throw new Problem('not-found');
  const { directory } = await engine.rules.current();
  const facts = factsOf(askedIn(engine, row), directory, engine, engine.now());
  const until = new Date(Math.ceil((engine.now() + days * day) / 60_000) * 60_000).toISOString().replace('.000Z', 'Z');
  return alwaysConditions(facts)
    .map((condition) => choiceOf(condition, facts, until))
    .filter(({ document }) => isReadable(document));
}

interface AllowAlways {
  /** The name of one of the choices. */
  policy: string;
  days: number;
}

/**
 * Publishes one of the choices if one administrator is enough for that. Otherwise it is put before a second one, as every
 * other policy is. Problem `not-found` for any other name.
 */
export async function allowAlways(
  engine: Engine,
  user: User,
  id: ElicitationId,
  { policy: name, days }: AllowAlways,
): Promise<{ place: VersionPlace; alone: Alone | null }> {
  const choice = (await alwaysChoices(engine, id, days)).find(({ policy }) => policy === name);
  if (!choice) throw new Problem('not-found');
  const note = `Written from ${id}`;
  try {
    return await publishAlone(engine, user, { ...choice, note });
  } catch (error) {
    if (!needsSecond(error)) throw error;
  }
  const place = await saveDraft(engine, user, { document: choice.document, note });
  await submitVersion(engine, user, place);
  return { place, alone: null };
}

async function publishAlone(
  engine: Engine,
  user: User,
  { policy: name, document, note }: AlwaysChoice & { note: string },
): Promise<{ place: VersionPlace; alone: Alone | null }> {
  const { also, alone } = guardPower(engine, user, 'publish-policies');
  const place = { name, version: 1 };
  const digest = digestDocument(document);
  const at = engine.now();
  await changePolicy(
    engine,
    user,
    name,
    (policy) => {
      const draft = newVersion(policy, { document, digest, note, authorId: null, createdAt: at });
      // Assentry has written it, and this person has decided on it.
      const reviewed = { state: 'approved' as const, reviewerId: user.id, reviewedAt: at };
      const version = { ...draft, ...reviewed, publishedAt: at };
      place.version = version.version;
      return {
        write: { type: 'version', policy: policy?.id ?? newId('policy'), name, version, isPublished: true },
        event: aboutVersion('policy.published', name, version),
      };
    },
    { also, needed: 'publish-policies' },
  );
  return { place, alone: alone() };
}

/** It comes before more general policies, and after those that deny. */
export function choiceOf(
  { kind, value, tools, when }: AlwaysCondition,
  { request }: Facts,
  until: string,
): AlwaysChoice {
  const { server, tool, risk } = request;
  const policy = nameOf(server, tool, [...tools, when]);
  const document = `policy: ${policy}
description: Calls like one that people were asked about run without an approval.
priority: 100

match:
  server: ${JSON.stringify(server)}
  tool: ${JSON.stringify(tools)}

when: |-
  ${when.replaceAll('\n', '\n  ')}

allow:
  ceiling: ${tools.length > 1 ? 'high' : risk}
  until: ${until}
`;
  return { kind, value, tools, policy, document };
}

/** The same rule has the same name, so that it can be renewed. */
function nameOf(server: string, tool: string, limits: string[]): string {
  const plain = tool.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
  const digits = sha256([server, ...limits].join('\n'))
    .subarray(0, 5)
    .toString('hex');
  return `always-${plain.slice(0, 40)}-${digits}`;
}

function isReadable(document: string): boolean {
  try {
    return readPolicy(document).rules.every(({ rule }) => rule.outcome === 'allow');
  } catch {
    return false;
  }
}
