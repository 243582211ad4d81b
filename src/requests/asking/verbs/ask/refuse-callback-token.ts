import type { KeyRing } from '#platform/crypto/key-ring';
import { isCallbackToken } from '#access/tokens/rules';
import { callbackFaults } from '#platform/text/visible-text';
import { Problem } from '#platform/model/problem';
import type { OpenRequest } from '#policies/deciding/verbs/open';

/**
 * INVALID_INPUT, at its place, if what the author gives people to read holds a callback token in any spelling: anyone
 * who reads one can report that they have paid.
 */
export function refuseCallbackToken(ring: KeyRing, request: OpenRequest): void {
  const { url, message, schema, facts, reason } = request;
  const errors = callbackFaults({ url, message, schema, facts, reason }, (token) => isCallbackToken(ring, token));
  if (errors.length > 0) throw new Problem('INVALID_INPUT', { errors });
}
