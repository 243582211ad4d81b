import type { KeyRing } from '#core/crypto/key-ring';
import { isCallbackToken } from '#core/crypto/tokens/token';
import { callbackFaults } from '#protocol/model/text/spelled-tokens';
import { Problem } from '#protocol/model/problem';
import type { OpenRequest } from '../../judging/open-request.ts';

/**
 * INVALID_INPUT, at its place, if what the author gives people to read holds a callback token in any spelling: anyone
 * who reads one can report that they have paid.
 */
export function refuseCallbackToken(ring: KeyRing, request: OpenRequest): void {
  const { url, message, schema, facts, reason } = request;
  const errors = callbackFaults({ url, message, schema, facts, reason }, (token) => isCallbackToken(ring, token));
  if (errors.length > 0) throw new Problem('INVALID_INPUT', { errors });
}
