import type { Requester } from '../../model/user.ts';

/** Who asks and how sure that is, with nothing left out: as pages show it, policies judge it and digests bind it. */
export const shownRequester = ({ subject, issuer = null, verified, verifiedBy = null }: Requester) => ({
  subject,
  issuer,
  verified,
  verifiedBy,
});
