import { faultsOf, type Fault } from './fault.ts';

const signIns = ['test/access/passkeys/passkeys.test.ts'];
const keys = ['test/access/passkeys/public-key.test.ts'];
const votes = ['test/requests/deliberation/signed-votes.test.ts'];
const proofs = ['test/audit/verify/device-signatures.test.ts'];

/** In what devices sign, and in who may have them sign it. */
export const passkeyFaults: Fault[] = [
  ...faultsOf('src/access/passkeys/rules.ts', votes, [
    ["if (client.challenge !== challenge) return { fault: 'passkey-challenge' };", ''],
    ["if ((flags & userVerified) === 0) return { fault: 'passkey-no-verification' };", ''],
  ]),
  ...faultsOf('src/access/passkeys/rules.ts', votes, [
    ['parseStrictJson(Buffer', 'JSON.parse(Buffer'],
    [' && crossOrigin !== true', ''],
  ]),
  ...faultsOf('src/access/passkeys/rules.ts', keys, [
    ['algorithm === -7 && first === 1', 'algorithm === -7'],
    [' && !isSmall(second)', ''],
    [' && first !== 0', ''],
  ]),
  ...faultsOf('src/access/passkeys/store.ts', signIns, [
    ['const movedOn = counter === 0 ? { counter: 0 } : { counter: { lt: counter } };', 'const movedOn = {};'],
    ['expiresAt: { gt: new Date(now) } };', '};'],
    ['boundTo: copy(boundTo), expiresAt: { gt', 'expiresAt: { gt'],
    [
      'hash: copy(hash), purpose, boundTo: copy(boundTo), expiresAt: { gt',
      'hash: copy(hash), boundTo: copy(boundTo), expiresAt: { gt',
    ],
  ]),
  ...faultsOf('src/access/passkeys/verbs.ts', signIns, [
    ["if (!isProven) throw refusedPasskey('passkey-unproven', passkey);", ''],
  ]),
  ...faultsOf('src/requests/voting/verbs.ts', votes, [
    ["if (needed === 'passkey') throw new Problem('passkey-needed');", ''],
    ['usePasskey(engine, assertion, challenge, user.id)', 'usePasskey(engine, assertion, challenge)'],
    ["if (!isOurs) throw refusedPasskey('passkey-challenge');", ''],
  ]),
  ...faultsOf('src/audit/verify/verbs/verify-state.ts', proofs, [
    ["if (isNeeded) return formatFault(event, 'its policy needs a passkey');", ''],
    ["return formatFault(event, await signatureFault(event, text ?? '', logged.added));", 'return null;'],
  ]),
  ...faultsOf('src/audit/receipts/rules.ts', proofs, [
    ['return isMissing ? [...checked, missing] : checked;', 'return checked;'],
    [
      'return { vote, fault: formatFault(vote, await signatureFault(vote, signature, added)) };',
      'return { vote, fault: null };',
    ],
  ]),
];
