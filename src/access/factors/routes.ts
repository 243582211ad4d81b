import type { Request } from 'express';
import { routes } from '#platform/http/contract/openapi';
import { confirmByCode, addTotp, beginTotp, removeTotp, renewRecoveryCodes, showTotp } from './verbs.ts';
import type { ApiParts } from '#platform/http/routes/parts';
import { ownSecret, keepSession } from '#platform/http/routes/authenticate';
import { asSignIn } from '#platform/http/routes/route';
import { limitGuesses } from '#platform/http/routes/limits';
import { requestWasSuccessful } from '#requests/inbox/routes/inbox';

/** People's own authenticator apps, and proving with them who one is. */
export function serveSecondFactorRoutes({ app, engine, serve }: ApiParts): void {
  const keyGenerator = (request: Request): string => ownSecret(request, engine);
  app.post(routes.confirmByCode.path, asSignIn, limitGuesses({ keyGenerator, requestWasSuccessful }));

  serve(routes.showTotp, async ({ caller }) => ({ totp: await showTotp(engine, caller) }));

  serve(routes.beginTotp, async ({ caller, request }) => beginTotp(engine, caller, ownSecret(request, engine)));

  serve(routes.addTotp, async ({ caller, request, response, body }) => {
    const { session, recoveryCodes } = await addTotp(engine, caller, ownSecret(request, engine), body);
    keepSession(response, session, engine.publicUrl());
    return { recoveryCodes };
  });

  serve(routes.removeTotp, async ({ caller, request }) => removeTotp(engine, caller, ownSecret(request, engine)));

  serve(routes.renewRecoveryCodes, async ({ caller }) => ({ recoveryCodes: await renewRecoveryCodes(engine, caller) }));

  serve(routes.confirmByCode, async ({ caller, request, response, body }) => {
    response.locals['isGuess'] = true;
    const session = await confirmByCode(engine, caller, ownSecret(request, engine), body.code);
    keepSession(response, session, engine.publicUrl());
  });
}
