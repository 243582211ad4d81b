import { userInfo } from 'node:os';
import { plainSubject, type Principal } from '#sdk/mcp/tools/principal';

/** Sender of a request to the gateway. */
export interface Caller {
  principal: Principal;
  /** Token that proves them; null if they proved nothing. */
  token: string | null;
}

/** The user of the operating system, which no one has verified. */
export const localPrincipal = (): Principal => ({ subject: plainSubject('local', userName()), verified: false });

/** A text for each principal, and another for any other one. */
export const principalKey = ({ issuer = '', subject, verified }: Principal): string =>
  JSON.stringify([verified, issuer, subject]);

/** A container's user may have a number alone. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.());
  }
}
