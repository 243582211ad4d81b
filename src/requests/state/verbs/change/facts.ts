import { checkAnswer, withDefaults } from '#platform/form/answer';
import type { FormContent } from '#platform/form/answer';
import type { ResultSchema } from '#platform/form/schema';
import type { Audience, Mode, Risk } from '../../../asking/contract/elicitation.ts';
import { ownServer } from '#platform/model/names';
import type { Requester } from '#people/directory/contract/user';
import { userOfRequester, type Directory } from '#policies/document/rules/directory';
import type { Facts, RequesterFacts } from '#policies/document/rules/document';
import type { ElicitationRow } from '../../store/row/row.ts';
import type { Engine } from '#platform/nodes/verbs/engine';
import { countedMaker } from '../../../asking/verbs/requester/requesters.ts';
import { openQuestion } from '../../../asking/verbs/question/sealed-question.ts';
import { shownRequester } from '../../../asking/verbs/question/shown-requester.ts';

/** A question as policies see it, whether it is asked now or stored. */
export interface AskedQuestion {
  server: string;
  tool: string;
  /** The digest of the tool's definition; absent or null if none was sent. */
  definition?: string | null | undefined;
  arguments: Record<string, unknown>;
  annotations: Record<string, unknown>;
  mode: Mode;
  /** The audience the caller asked for; the policies may choose another. */
  audience: Audience | null;
  reason: string | null;
  requester: Requester;
  schema: ResultSchema | null;
  /** When the requester wants it to start; absent or null is at once. */
  notBefore?: number | null | undefined;
  /** Who made the key that asks. */
  keyMaker?: string | undefined;
  /** No one has accepted the definition with these annotations. */
  unaccepted?: boolean | undefined;
}

/** Where it is judged. */
export type FactsContext = Pick<Engine, 'environment' | 'defaults'>;

/** What policies may see of it, with what the directory says about its requester. */
export function factsOf(question: AskedQuestion, directory: Directory, context: FactsContext, now: number): Facts {
  const { server, tool, annotations, mode, audience, reason, requester } = question;
  const { name = null, version = null } = requester.client ?? {};
  return {
    request: { server, tool, args: question.arguments, risk: riskOf(annotations), annotations, mode, audience, reason },
    tool: { definition: question.definition ?? null },
    requester: requesterFacts(requester, directory),
    agent: { name, version },
    environment: { name: context.environment },
    defaults: context.defaults,
    now,
    answerable: defaultAnswer(question) !== null,
    startAt: question.notBefore,
    space: directory.servers.find(({ name }) => name === server)?.spaceId,
    spaceAdministrators: administratorsFor(question, directory),
    keyMaker: countedMaker(question.keyMaker, server, context.environment),
    unaccepted: question.unaccepted,
  };
}

/** Of a change of a space, which Assentry itself asks about: those who can accept it next to administrators. */
function administratorsFor(
  { server, arguments: facts }: AskedQuestion,
  { spaces = [] }: Directory,
): string[] | undefined {
  if (server !== ownServer.name) return undefined;
  const { id } = (facts['space'] ?? {}) as { id?: unknown };
  return spaces.find((space) => space.id === id)?.administrators;
}

/** The stored question, as it was asked. */
export function askedIn({ ring }: Pick<Engine, 'ring'>, row: ElicitationRow): AskedQuestion {
  const { tool, arguments: stored, reason, requester, schema, audience, keyMaker } = openQuestion(ring, row);
  return {
    server: row.serverName,
    tool: row.tool,
    definition: tool.schemaDigest,
    arguments: JSON.parse(stored) as Record<string, unknown>,
    annotations: tool.annotations ?? {},
    mode: row.mode,
    audience,
    reason,
    requester,
    schema,
    notBefore: row.state.context.notBefore,
    keyMaker,
    unaccepted: tool.unaccepted,
  };
}

/** The answer a form needs no person for: it has no required fields, or defaults for all of them. Otherwise null. */
export function defaultAnswer({ mode, schema }: Pick<AskedQuestion, 'mode' | 'schema'>): FormContent | null {
  if (mode !== 'form' || schema === null) return null;
  const content = withDefaults(schema);
  return checkAnswer(schema, { action: 'accept', content }).ok ? content : null;
}

/** By the tool's own annotations; a tool without annotations counts as medium. */
function riskOf({ destructiveHint, readOnlyHint }: Record<string, unknown>): Risk {
  if (destructiveHint === true) return 'high';
  return readOnlyHint === true ? 'low' : 'medium';
}

/** An unverified subject proves no group and no role, because anyone could send it. */
function requesterFacts(requester: Requester, directory: Directory): RequesterFacts {
  const named = { ...shownRequester(requester), email: null, groups: [], role: null };
  const user = requester.verified ? userOfRequester(directory, requester) : null;
  return user ? { ...named, email: user.email, groups: user.groups, role: user.role } : named;
}
