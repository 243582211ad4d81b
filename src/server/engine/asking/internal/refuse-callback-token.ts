import type { KeyRing } from '#core/crypto/key-ring';
import { isCallbackToken } from '#core/crypto/tokens/token';
import { tokensIn } from '#protocol/model/text/spelled-tokens';
import { Problem, type FieldError } from '#protocol/model/problem';
import type { OpenRequest } from '../../judging/open-request.ts';

/**
 * INVALID_INPUT, at its place, if what the author gives people to read holds a callback token in any spelling: anyone
 * who reads one can report that they have paid.
 */
export function refuseCallbackToken(ring: KeyRing, request: OpenRequest): void {
  const { url, message, schema, facts, reason } = request;
  const shown = { url, message, schema, facts, reason };
  const errors = Object.entries(shown).flatMap(([name, value]): FieldError[] => {
    const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
    return tokensIn(text).some((token) => isCallbackToken(ring, token)) ? [{ path: [name], message: forService }] : [];
  });
  if (errors.length > 0) throw new Problem('INVALID_INPUT', { errors });
}

const forService =
  'Leave out the callback address: people and clients read this. Give it to the service alone, from server to server.';
