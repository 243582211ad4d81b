import { z } from 'zod';
import type { Proof } from '#access/sign-in/contract/authentication';
import type { Permission as RoutePermission } from '#people/directory/contract/permission';
import type { SignInStep } from '#access/factors/contract/factor-rule';
import { refusalCodes, type RefusalCode as Code } from '#requests/inbox/contract/refusal';

/**
 * Who may call: an MCP server by its key, a person by their cookie, anyone who holds the token in the path, a chat that
 * signs what it sends or shows a token, the operator by a token of the settings, an identity provider by its SCIM token, or
 * everyone. `session-or-token` is for people and for programs that administer: a program needs a token with the permission.
 */
export type RouteAuth =
  'key' | 'session' | 'session-or-token' | 'token' | 'signature' | 'connector' | 'operator' | 'scim' | 'none';

type Permitted = Extract<RouteAuth, `session${string}`>;

/**
 * Route with its authorization. A route for people names the needed permission; null is for everyone who is signed in, and
 * every token. With the scope `space` a role in any space that has the permission is let in, and the verb refuses objects
 * outside such a space. A changing route names the proof it needs of a person; a program proves itself by its token.
 */
export type RouteContract = Route &
  (
    | ({ auth: Permitted; permission: RoutePermission | null; scope?: 'space' } & (
        { method: 'get'; proof?: never } | { method: Exclude<Method, 'get'>; proof: Proof }
      ))
    | { auth: Exclude<RouteAuth, Permitted>; permission?: never; scope?: never; proof?: never }
  );

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

interface Route {
  method: Method;
  /** Path with parameters in braces, as in OpenAPI. */
  path: string;
  summary: string;
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: z.ZodType;
  /** The status of success with the schema of its body; null is no body. */
  success: Record<number, z.ZodType | null>;
  /** Set if the answer is a stream of server-sent events with this schema. */
  events?: z.ZodType;
  /** Set if every answer is a page for people, and the body comes from a browser's form. */
  html?: true;
  /** Set if the answer is a file of this media type. */
  file?: string;
  /** Set if the last parameter of the path may contain slashes. */
  isDeep?: true;
  /** Set if it is answered under any load. */
  isUrgent?: true;
  /** Set if it lets an approved call run and end: then a separate budget limits it. */
  isOfExecution?: true;
  /** Set if the statement that stores its work checks the caller again: until then, the caller as last read is enough. */
  isProving?: true;
  /** Set if people are notified of each stored thing: it waits while notifications are behind. */
  isNotifying?: true;
  /** Sign-in steps without the second factor at which it is open; none by default. */
  isOpenAt?: readonly SignInStep[];
  /** Media type of its bodies, if another kind of JSON; `application/json` is accepted as well. */
  media?: 'application/scim+json';
  /** Set if the body is form-encoded. */
  form?: true;
}

/** Named type, since the compiler would write out all codes at each place that uses them. */
export interface RefusalCode extends z.ZodEnum<{ [Name in Code]: Name }> {}
export const RefusalCode: RefusalCode = z.enum(refusalCodes);

/** A permission with the reason if an action is refused. */
export const Permission = z.object({
  allowed: z.boolean(),
  /** Reason as a code that the console puts into words; null if it is allowed. */
  refusal: RefusalCode.nullable(),
});
export type Permission = z.infer<typeof Permission>;
