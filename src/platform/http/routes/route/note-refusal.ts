import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import type { Refused } from '#audit/entries/verbs';
import type { Engine } from '../../../nodes/verbs/engine/engine.ts';
import { isAnyId } from '../../../model/id.ts';
import { Problem, type ProblemCode } from '../../../model/problem/problem.ts';
import type { TokenCaller } from '#people/directory/verbs/directory';
import type { Provisioner } from '#access/scim/verbs/tokens';
import type { ServerCaller, SignedInUser } from '#people/directory/contract/user';
import type { SignInPlace } from '#access/sign-in/verbs/sessions';
import { addressOf } from '../limits/address-of.ts';
import { agentOf, sessionSecret } from '../authenticate/authenticate.ts';

/** What a route reports for the log: the caller, and whether the route signs people in. */
interface Known {
  caller?: ServerCaller | SignedInUser | TokenCaller | Provisioner | undefined;
  isSignIn?: boolean;
  /** A password was checked. */
  isGuess?: boolean;
}

/** From here on, a refusal is a failed sign-in. */
export const asSignIn: RequestHandler = (_request, { locals }, next) => {
  locals['isSignIn'] = true;
  next();
};

/** Logs a refusal, then lets it be answered. */
export const noteRefusal =
  (engine: Engine): ErrorRequestHandler =>
  async (error: unknown, request, response, next) => {
    const refused = error instanceof Problem && readRefusal(engine, error, request, response);
    if (refused) await engine.access.recordRefusal(refused);
    next(error);
  };

/** Logs each refusal among several answers to one request. */
export async function noteRefused(
  engine: Engine,
  from: Pick<Refused, 'by' | 'address'>,
  results: { id: string; problem: { code: string; refusal?: { code: string } | undefined } | null }[],
): Promise<void> {
  for (const { id, problem } of results) {
    if (problem && refusals.has(problem.code as ProblemCode))
      await engine.access.recordRefusal({
        type: 'access.refused',
        what: problem.refusal?.code ?? problem.code,
        about: [id].filter(isAnyId),
        ...from,
      });
  }
}

/** Null if no caller is refused: an invalid form, or a page that is opened before the sign-in. */
function readRefusal(engine: Engine, problem: Problem, request: Request, response: Response): Refused | null {
  const locals = response.locals as Known;
  const type = typeOf(problem.code, locals, showsSomething(request, engine));
  if (!type) return null;
  const { caller } = locals;
  return {
    type,
    what: problem.what,
    by: actorOf(caller),
    about: [...problem.about, ...idsIn(request.path)],
    address: addressOf(request),
  };
}

function actorOf(caller: Known['caller']): Refused['by'] {
  if (!caller) return { kind: 'stranger' };
  if (caller.kind === 'provisioner') return { kind: 'provider', provider: caller.by.issuer };
  if (caller.kind === 'token') return { kind: 'token', token: caller.id, name: caller.name };
  return { kind: caller.kind, id: caller.id } as Refused['by'];
}

function typeOf(code: ProblemCode, { caller, isSignIn, isGuess }: Known, hasShown: boolean): Refused['type'] | null {
  if (isSignIn && (failures.has(code) || isGuess === true)) return 'access.sign-in-failed';
  if (code === 'unauthenticated' && !hasShown) return null;
  if (code === 'not-found' && !caller) return null;
  return refusals.has(code) ? 'access.refused' : null;
}

const failures = new Set<ProblemCode>(['unauthenticated', 'passkey-refused', 'token-invalid', 'rate-limited']);
const refusals = new Set<ProblemCode>([
  'unauthenticated',
  'forbidden',
  'passkey-refused',
  'cross-site',
  'not-found',
  'token-invalid',
]);

const showsSomething = (request: Request, engine: Engine): boolean =>
  request.headers.authorization !== undefined ||
  request.headers['x-slack-signature'] !== undefined ||
  sessionSecret(request, engine.publicUrl()) !== undefined;

/** Logs only the parts of an address that look like our ids: anything else could be a token. */
const idsIn = (path: string): string[] => path.split('/').filter(isAnyId);

export const placeOf = (request: Request): SignInPlace => ({ agent: agentOf(request), address: addressOf(request) });
