import { checkAnswer, withDefaults } from '../../form/answer.ts';
import type { FormContent } from '../../form/answer.ts';
import type { ResultSchema } from '../../form/schema.ts';
import type { Audience, Mode, Risk } from '../../model/elicitation.ts';
import type { Requester } from '../../model/user.ts';
import { userOfRequester, type Directory } from '../../policy/terms/directory.ts';
import type { Facts, RequesterFacts } from '../../policy/terms/facts.ts';
import type { ElicitationRow } from '../../store/elicitation/row.ts';
import type { Engine } from '../engine.ts';
import { openQuestion } from './sealed-question.ts';
import { shownRequester } from './shown-requester.ts';

/** A question as policies look at it: the same whether it is asked now or was stored. */
export interface AskedQuestion {
  server: string;
  tool: string;
  arguments: Record<string, unknown>;
  annotations: Record<string, unknown>;
  mode: Mode;
  /** Whom the caller wants to ask; the policies may ask others. */
  audience: Audience | null;
  reason: string | null;
  requester: Requester;
  schema: ResultSchema | null;
  /** When the requester wants it to start; absent or null is at once. */
  notBefore?: number | null | undefined;
  /** Who made the key that asks. */
  keyMaker?: string | undefined;
}

/** Where it is judged. */
export type Surroundings = Pick<Engine, 'environment' | 'defaults'>;

/** What policies may know of it, with what the directory knows of its requester. */
export function factsOf(asked: AskedQuestion, directory: Directory, surroundings: Surroundings, now: number): Facts {
  const { server, tool, annotations, mode, audience, reason, requester } = asked;
  const { name = null, version = null } = requester.client ?? {};
  return {
    request: { server, tool, args: asked.arguments, risk: riskOf(annotations), annotations, mode, audience, reason },
    requester: requesterFacts(requester, directory),
    agent: { name, version },
    environment: { name: surroundings.environment },
    defaults: surroundings.defaults,
    now,
    answerable: defaultAnswer(asked) !== null,
    startAt: asked.notBefore,
    keyMaker: asked.keyMaker,
  };
}

/** The stored question, as it was asked. */
export function askedIn({ ring }: Pick<Engine, 'ring'>, row: ElicitationRow): AskedQuestion {
  const { tool, arguments: stored, reason, requester, schema, audience, keyMaker } = openQuestion(ring, row);
  return {
    server: row.serverName,
    tool: row.tool,
    arguments: JSON.parse(stored) as Record<string, unknown>,
    annotations: tool.annotations ?? {},
    mode: row.mode,
    audience,
    reason,
    requester,
    schema,
    notBefore: row.state.context.notBefore,
    keyMaker,
  };
}

/** What a form answers by itself: it asks for nothing, or has defaults for all it needs. Else null. */
export function defaultAnswer({ mode, schema }: Pick<AskedQuestion, 'mode' | 'schema'>): FormContent | null {
  if (mode !== 'form' || schema === null) return null;
  const content = withDefaults(schema);
  return checkAnswer(schema, { action: 'accept', content }).ok ? content : null;
}

/** As the tool says of itself: what it says raises the risk that is shown, and silence counts as medium. */
function riskOf({ destructiveHint, readOnlyHint }: Record<string, unknown>): Risk {
  if (destructiveHint === true) return 'high';
  return readOnlyHint === true ? 'low' : 'medium';
}

/** A subject that no one verified proves no group and no role: anyone could say it. */
function requesterFacts(requester: Requester, directory: Directory): RequesterFacts {
  const named = { ...shownRequester(requester), email: null, groups: [], role: null };
  const user = requester.verified ? userOfRequester(directory, requester) : null;
  return user ? { ...named, email: user.email, groups: user.groups, role: user.role } : named;
}
