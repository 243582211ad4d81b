import { userInfo } from 'node:os';
import { plainSubject, type Principal } from '#sdk/mcp/tools/principal';

/** Sender of a request to the gateway. */
export interface Caller {
  principal: Principal;
  /** Token that proves them; null without proof. */
  token: string | null;
}

/** The user of the operating system, unverified. */
export const localPrincipal = (): Principal => ({ subject: plainSubject('local', userName()), verified: false });

/** A distinct text for each principal. */
export const principalKey = ({ issuer = '', subject, verified }: Principal): string =>
  JSON.stringify([verified, issuer, subject]);

/** Name of the user; a container's user may have only a number. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.());
  }
}
