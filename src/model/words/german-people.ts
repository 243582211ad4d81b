import type { Requester } from '../user.ts';

/** How certain the requester's identity is, in German. */
export function sayVerificationInGerman({ verified, verifiedBy }: Pick<Requester, 'verified' | 'verifiedBy'>): string {
  if (verifiedBy) return `geprüft von ${verifiedBy}`;
  return verified ? 'Angabe des Servers' : 'nicht geprüft';
}
