import { parseCookie } from 'cookie';
import type { Request } from 'express';
import { routes } from '#platform/http/contract/openapi';
import type { PasskeyCreation, PasskeyRequest } from './contract/passkeys.ts';
import { algorithms } from './rules.ts';
import { randomSecret } from '#platform/crypto/random';
import {
  newChallenge,
  relyingParty,
  addPasskey,
  beginPasskey,
  listPasskeys,
  listPasskeysOf,
  removePasskey,
  type MakingPasskey,
  confirmByPasskey,
  signInWithPasskey,
} from './verbs.ts';
import { beginSignedVote } from '#requests/voting/verbs';
import { challengeLife } from './contract/types.ts';
import type { User } from '#people/directory/contract/user';
import type { ApiParts } from '#platform/http/routes/parts';
import { ownSecret, challengeCookie, keepSession } from '#platform/http/routes/authenticate';
import { asSignIn, placeOf } from '#platform/http/routes/route';
import { limitGuesses } from '#platform/http/routes/limits';
import { deviceOrAddress, welcome } from '#requests/inbox/routes/inbox';

/** People's own passkeys, and signing in with them. Guesses are slowed down as those of passwords are. */
export function servePasskeyRoutes(parts: ApiParts): void {
  const { app } = parts;
  const keyGenerator = (request: Request): string => deviceOrAddress(parts.engine, request);
  app.post(routes.signInWithPasskey.path, asSignIn, limitGuesses({ keyGenerator }));
  app.post(routes.confirmByPasskey.path, asSignIn, limitGuesses());
  serveOwn(parts);
  serveSignIn(parts);
  serveSignedVotes(parts);
}

function serveOwn({ engine, serve }: ApiParts): void {
  serve(routes.listPasskeys, async ({ caller }) => listPasskeys(engine, caller));

  serve(routes.listPasskeysOf, async ({ params }) => ({ passkeys: await listPasskeysOf(engine, params.id) }));

  serve(routes.beginPasskey, async ({ caller, request }) =>
    creationOf(caller, await beginPasskey(engine, caller, ownSecret(request, engine))),
  );

  serve(routes.addPasskey, async ({ caller, request, body: { name, ...registration } }) =>
    addPasskey(engine, caller, ownSecret(request, engine), { name, registration }),
  );

  serve(routes.removePasskey, async ({ caller, request, params }) =>
    removePasskey(engine, caller, ownSecret(request, engine), params.id),
  );
}

function serveSignIn({ engine, serve }: ApiParts): void {
  const publicUrl = (): string => engine.publicUrl();
  const browserOf = ({ headers }: Request): string | undefined =>
    parseCookie(headers.cookie ?? '')[challengeCookie(publicUrl()).name];
  serve(routes.beginPasskeySignIn, async ({ request, response }) => {
    const { id } = relyingParty(engine);
    const browser = browserOf(request) ?? randomSecret();
    const { name, options } = challengeCookie(publicUrl());
    response.cookie(name, browser, options);
    return requestOf(id, await newChallenge(engine, 'sign-in', browser));
  });

  serve(routes.signInWithPasskey, async ({ request, response, body }) => {
    const session = await signInWithPasskey(engine, body, browserOf(request) ?? '', placeOf(request));
    return welcome(request, response, session, engine);
  });

  serve(routes.beginPasskeyConfirmation, async ({ caller, request }) => {
    const { id } = relyingParty(engine);
    const challenge = await newChallenge(engine, 'confirm', ownSecret(request, engine));
    return requestOf(id, challenge, await engine.passkeys.listOf(caller.id));
  });

  serve(routes.confirmByPasskey, async ({ caller, request, response, body }) => {
    const secret = ownSecret(request, engine);
    keepSession(response, await confirmByPasskey(engine, caller, secret, body), publicUrl());
  });
}

function serveSignedVotes({ engine, serve }: ApiParts): void {
  serve(routes.beginSignedVote, async ({ caller, request, params, body }) => {
    const secret = ownSecret(request, engine);
    const { party, nonce, challenge, passkeys } = await beginSignedVote(engine, caller, secret, params.id, body);
    return { nonce, request: requestOf(party.id, challenge, passkeys) };
  });
}

const creationOf = ({ id, name, email }: User, { party, challenge, others }: MakingPasskey): PasskeyCreation => ({
  rp: { id: party.id, name: 'Assentry' },
  user: { id: Buffer.from(id).toString('base64url'), name: email, displayName: name },
  challenge,
  pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key', alg })),
  timeout: challengeLife,
  excludeCredentials: others.map(descriptorOf),
  authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
  attestation: 'none',
});

const requestOf = (rpId: string, challenge: string, passkeys: Named[] = []): PasskeyRequest => ({
  challenge,
  rpId,
  timeout: challengeLife,
  userVerification: 'required',
  allowCredentials: passkeys.map(descriptorOf),
});

interface Named {
  credentialId: string;
  transports: string[];
}

const descriptorOf = ({ credentialId: id, transports }: Named) => ({ type: 'public-key', id, transports }) as const;
