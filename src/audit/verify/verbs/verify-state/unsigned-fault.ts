import {
  readSignature,
  signatureFault,
  type PasskeyEvent,
  type VoteEvent,
} from '../../../tree/rules/notes/device-signature.ts';
import { readEntry } from '../../../entries/rules/entry/entry.ts';
import { formatFault, outcomeFault } from '../../../receipts/rules/signed-receipt.ts';
import type { Presence } from '#people/directory/contract/presence';
import type { StatePage } from '#platform/database/snapshot/state-snapshot';

/** A passkey as the log has it: the entry that added it, and the time from which it signs nothing more. */
interface LoggedPasskey {
  added: PasskeyEvent;
  removedAt: string | null;
}

export function passkeysIn(entries: Uint8Array[]): Map<string, LoggedPasskey> {
  const passkeys = new Map<string, LoggedPasskey>();
  for (const event of entries.map(readEntry)) {
    if (event.type === 'user.passkey-added') passkeys.set(event.passkey, { added: event, removedAt: null });
    const logged = event.type === 'user.passkey-removed' ? passkeys.get(event.passkey) : undefined;
    if (logged) logged.removedAt = event.at;
  }
  return passkeys;
}

/**
 * The first vote of these requests that its voter's device did not sign though the policy needs that, or whose signature
 * does not hold or has counted before, as a sentence. Who holds every secret of the server still holds no key of a device.
 */
export async function unsignedFault(
  { entries, signatures }: Pick<StatePage, 'entries' | 'signatures'>,
  passkeys: ReadonlyMap<string, LoggedPasskey>,
): Promise<string | null> {
  const needed = new Map<string, Presence>();
  const nonces = new Set<string>();
  for (const { body } of entries) {
    const event = readEntry(body);
    if (event.type === 'elicitation.opened' || event.type === 'elicitation.edited')
      needed.set(event.elicitation, event.presence ?? 'none');
    if (event.type !== 'elicitation.voted') continue;
    const opposite = outcomeFault(event);
    if (opposite) return opposite;
    const isNeeded = event.action === 'accept' && needed.get(event.elicitation) === 'passkey';
    const fault = await faultOf(event, isNeeded, signatures, passkeys);
    if (fault) return fault;
    const signature = signatures.get(event.vote);
    const nonce = signature === undefined ? undefined : readSignature(signature)?.nonce;
    if (nonce === undefined) continue;
    // Each nonce is given out for one vote: one that was withdrawn is not cast again with what a device had signed.
    if (nonces.has(nonce)) return formatFault(event, 'passkey-challenge');
    nonces.add(nonce);
  }
  return null;
}

/** Milliseconds: a vote that was under way when its passkey was removed may be written after that. */
const maxVoteMs = 60_000;

const wasInUse = ({ added, removedAt }: LoggedPasskey, { at }: VoteEvent): boolean =>
  added.at <= at && (removedAt === null || Date.parse(at) <= Date.parse(removedAt) + maxVoteMs);

async function faultOf(
  event: VoteEvent,
  isNeeded: boolean,
  signatures: ReadonlyMap<string, string>,
  passkeys: ReadonlyMap<string, LoggedPasskey>,
): Promise<string | null> {
  const text = signatures.get(event.vote);
  if (!event.device) {
    if (isNeeded) return formatFault(event, 'its policy needs a passkey');
    return text === undefined ? null : formatFault(event, 'its entry names no signature');
  }
  const logged = passkeys.get(event.device.passkey);
  if (!logged || !wasInUse(logged, event)) return formatFault(event, 'the passkey was not in the log at that time');
  return formatFault(event, await signatureFault(event, text ?? '', logged.added));
}
