import type { Requester } from '#people/directory/contract/user';

/** The requester and how certain that is, complete: as pages show it, policies judge it and digests bind it. */
export const shownRequester = ({ subject, issuer = null, verified, verifiedBy = null }: Requester) => ({
  subject,
  issuer,
  verified,
  verifiedBy,
});
