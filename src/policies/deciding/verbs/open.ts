import type { z } from 'zod';
import type { Audience } from '#requests/asking/contract/elicitation';
import { type KeyFact, faultOfTarget } from '#requests/facts/contract/facts';
import type { Requester } from '#people/directory/contract/user';
import { lintFormSchema, lintResultSchema } from '#platform/form/lint';
import type { FormSchema, ResultSchema } from '#platform/form/schema';
import { faultOfAddress, isPrivateAddress } from '#platform/model/names';
import { invalidInput, Problem, type FieldError } from '#platform/model/problem';
import type { KeyRing } from '#platform/crypto/key-ring';
import type { UserId } from '#platform/model/id';
import { formatClause } from '#messages/sentence-words';
import type { Verdict } from '../../document/rules/verdict.ts';
import type { ElicitationRow } from '#requests/state/store/row';
import type { Engine } from '#platform/nodes/verbs/engine';
import { openVerdict } from '#requests/asking/verbs/question';
import type { OpenElicitation } from '#requests/asking/contract/open';

/** A question whose access token, if it has one, has been checked. */
export interface OpenRequest extends Omit<
  z.output<typeof OpenElicitation>,
  'accessToken' | 'requester' | 'takesEdits'
> {
  takesEdits?: boolean | undefined;
  /** Names this one opening: repeated with it, it is the same request for ever, also after its call is settled. */
  idempotencyKey?: string | undefined;
  requester: Requester;
  /** The caller's trace, in the form of W3C. */
  traceparent?: string | null | undefined;
}

/** A question that may be asked. */
export interface CheckedQuestion {
  schema: ResultSchema | null;
  /** Null in URL mode: our hosted page. */
  url: string | null;
}

type AskedQuestion = Pick<
  OpenRequest,
  'mode' | 'schema' | 'url' | 'completedBy' | 'state' | 'expects' | 'elicitationId' | 'audience'
>;

/** The schema or the address a question carries; problem INVALID_INPUT with the path of everything wrong. */
export function checkQuestion(question: AskedQuestion, audience: Audience): CheckedQuestion {
  const { mode, schema, url, completedBy } = question;
  if (mode === 'form' && completedBy !== undefined) {
    const message = "Use mode 'url': no one reports who has filled in a form.";
    throw invalidInput(['completedBy'], message);
  }
  const expectsFault = question.expects ? faultOfExpects(question, audience) : null;
  if (expectsFault) throw invalidInput(['expects'], expectsFault);
  const stateFault = faultOfState(question, audience);
  if (stateFault) throw invalidInput(['state'], stateFault);
  const result = mode === 'form' ? checkForm(schema, url) : checkUrl(schema, url, audience);
  if (Array.isArray(result)) throw new Problem('INVALID_INPUT', { errors: result });
  return result;
}

/** Assentry makes the address itself, and no one else reports on it. */
function faultOfExpects({ mode, ...question }: AskedQuestion, audience: Audience): string | null {
  if (mode !== 'url') return "Use mode 'url': its person goes to a provider.";
  const { url, schema, elicitationId, completedBy } = question;
  const others = { url, schema, elicitationId, completedBy };
  const other = Object.entries(others).find(([, value]) => value !== undefined);
  if (other) return `Leave \`${other[0]}\` out: Assentry makes the address, and finds out what happened there.`;
  if (audience === 'requester') return null;
  return 'Ask the requester: only they can connect what is theirs, so a policy for `assentry.connect` may not ask approvers.';
}

const askNothing: FormSchema = { type: 'object', properties: {} };

function checkForm(schema: unknown, url: string | undefined): CheckedQuestion | FieldError[] {
  if (url !== undefined) return [{ path: ['url'], message: "Use mode 'url' for an address: a form has none." }];
  const lint = lintFormSchema(schema === undefined ? askNothing : schema);
  if (lint.ok) return { schema: lint.schema, url: null };
  return lint.errors.map(({ path, message }) => ({ path: ['schema', ...path], message }));
}

function checkUrl(schema: unknown, url: string | undefined, audience: Audience): CheckedQuestion | FieldError[] {
  const sentence = url === undefined ? hostedFault(audience) : urlFault(url);
  if (sentence) return [{ path: ['url'], message: sentence }];
  if (schema === undefined) return { schema: null, url: url ?? null };
  // Approvers fill in a form, and never someone else's secret.
  const lint = audience === 'approvers' ? lintFormSchema(schema) : lintResultSchema(schema);
  if (lint.ok) return { schema: lint.schema, url: url ?? null };
  return lint.errors.map(({ path, message }) => ({ path: ['schema', ...path], message }));
}

/** Refuses key facts that lead nowhere, each by its path: people would decide without what its author meant to show. */
export function checkFacts(args: Record<string, unknown>, facts: KeyFact[] = []): void {
  const errors = facts.flatMap(({ path }, at): FieldError[] => {
    const message = faultOfTarget(args, path);
    return message === null ? [] : [{ path: ['facts', at, 'path'], message }];
  });
  if (errors.length > 0) throw new Problem('INVALID_INPUT', { errors });
}

/** The hosted page is the requester's; approvers have the console. */
const hostedFault = (audience: Audience): string | null =>
  audience === 'requester' ? null : "Give an address: for approvers, mode 'url' needs one.";

/** The fault of this address, or null: people must be able to see where they are sent. */
function urlFault(url: string): string | null {
  const fault = faultOfAddress(url);
  if (fault !== null) return fault;
  const { username, password } = new URL(url);
  if (username || password) return 'Remove the user name and password from the address.';
  return isPrivateAddress(url) ? null : 'Use https; http is for loopback addresses only.';
}

/** A signature may cover the whole address, so its author says whether anything may be added. */
function faultOfState({ mode, url, state }: AskedQuestion, audience: Audience): string | null {
  const isPlain = mode === 'form' || url === undefined || !URL.canParse(url);
  if (isPlain) return state === undefined ? null : 'Give an address for it: `state` is added to nothing else.';
  if (state !== undefined || audience !== 'requester') return null;
  const isSigned = [...new URL(url).searchParams.keys()].some((name) => signatureNames.has(name.toLowerCase()));
  if (!isSigned) return null;
  return 'Say `state: false` to leave this signed address as it is, or `state: true` if it may get a `state`.';
}

const signatureNames = new Set(['signature', 'sig', 'hmac', 'x-amz-signature', 'x-goog-signature', 'x-oss-signature']);

/** Why the policies decided so, from what was sealed with the request, and who may still decide. */
export async function explainPolicy(engine: Engine, row: ElicitationRow) {
  const { names } = await engine.rules.users();
  const { explanation, grant = null } = verdictOf(engine.ring, row);
  const { terms = [], considered = [], passedOver = [] } = explanation ?? {};
  const named = (ids: string[]) => ids.map((id) => ({ id: id as UserId, name: names.get(id) ?? '' }));
  return {
    name: row.policy,
    basis: basisOf(engine.ring, row),
    terms,
    considered,
    passedOver,
    grant,
    stages: row.state.context.stages.map(({ name, groups, excluded }) => ({
      name,
      groups: groups.map(({ approvers, meaning: _said, ...group }) => {
        return { ...group, users: approvers === 'anyone' ? null : named(approvers) };
      }),
      excluded: named(excluded),
    })),
  };
}

/** Grounds to allow the request: its policy's own terms, a standing approval, or an emergency override. */
type Basis = 'terms' | 'grant' | 'break-glass';

function basisOf(ring: KeyRing, row: ElicitationRow): Basis {
  const { votes, breakGlassBy } = row.state.context;
  if (breakGlassBy !== null) return 'break-glass';
  const isByItself = row.status === 'accepted' && row.audience === 'approvers' && votes.length === 0;
  return isByItself && verdictOf(ring, row).outcome === 'require' ? 'grant' : 'terms';
}

/** The policy's first requirement, in a sentence for servers and agents; or what allowed it instead. */
export function formatWhy(ring: KeyRing, row: ElicitationRow): string {
  const basis = basisOf(ring, row);
  if (basis === 'break-glass') return 'It was approved by emergency override.';
  if (basis === 'grant') return 'A standing approval allows it.';
  const [term] = verdictOf(ring, row).explanation?.terms ?? [];
  return term ? formatClause(term) : '';
}

const verdictOf = (ring: KeyRing, row: ElicitationRow): Partial<Verdict> =>
  (openVerdict(ring, row) as Partial<Verdict> | null) ?? {};
