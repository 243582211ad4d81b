import type { Audience, Mode, Risk } from '#requests/asking/contract/elicitation';
import type { PolicyDefaults } from '../../../contract/policy.ts';
import type { Role } from '#people/directory/contract/permission';

/** What a policy may see of a request. All but the last two are CEL variables of the same name. */
export interface Facts {
  request: RequestFacts;
  tool: ToolFacts;
  requester: RequesterFacts;
  agent: { name: string | null; version: string | null };
  environment: { name: string };
  /** The installation's defaults; not a CEL variable. */
  defaults: PolicyDefaults;
  /** Milliseconds since 1970; a timestamp in CEL. */
  now: number;
  /** Could it be answered without a person: a form that asks for nothing or has defaults for all it needs? */
  answerable: boolean;
  /** When the requester wants it to start; absent or null is at once. Milliseconds since 1970. */
  startAt?: number | null | undefined;
  /** The space of the server; absent or null if it is global. Not a CEL variable. */
  space?: string | null | undefined;
  /** Who can accept what Assentry itself asks, next to administrators: addresses. Not a CEL variable. */
  spaceAdministrators?: string[] | undefined;
  /** The maker of the key, who decides none of its requests; absent where they may. Not a CEL variable. */
  keyMaker?: string | undefined;
  /** No one has accepted the definition by which the tool claims to read only. Not a CEL variable. */
  unaccepted?: boolean | undefined;
}

interface RequestFacts {
  server: string;
  tool: string;
  args: Record<string, unknown>;
  /** As computed from the tool's annotations. */
  risk: Risk;
  annotations: Record<string, unknown>;
  mode: Mode;
  /** The audience the caller asked for. */
  audience: Audience | null;
  reason: string | null;
}

interface ToolFacts {
  /** The digest of what the server says of the tool, as it was sent with the call; null if none was. */
  definition: string | null;
}

export interface RequesterFacts {
  subject: string;
  issuer: string | null;
  /** True if the server says that it has checked an access token, or Assentry has. */
  verified: boolean;
  /** The issuer whose access token Assentry has checked itself. */
  verifiedBy: string | null;
  email: string | null;
  groups: string[];
  role: Role | null;
}
