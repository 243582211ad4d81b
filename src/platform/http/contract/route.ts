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
 * A route for people says which of their permissions it takes; null is for everyone who is signed in, and every token. With the
 * scope `space` a role in any space that has it is let in, and the verb refuses what is not of such a space. A route that changes
 * something says which proof it takes of a person; a program proves itself by its token.
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
  /** With parameters in braces, as OpenAPI writes them. */
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
  /** Set if it is answered however much the node has to do. */
  isUrgent?: true;
  /** Set if it lets an approved call run and end: then it is limited by a budget that no other route uses up. */
  isOfExecution?: true;
  /** Set if the statement that stores its work checks the caller again: who they were when last read is enough until then. */
  isProving?: true;
  /** Set if people are notified of each thing that it stores: it waits while notifications are behind. */
  isNotifying?: true;
  /** The steps of a sign-in without its second factor at which it is open all the same; by default none. */
  isOpenAt?: readonly SignInStep[];
  /** The media type of its bodies, if it is another kind of JSON; bodies that say `application/json` are read as well. */
  media?: 'application/scim+json';
  /** Set if the body is form-encoded. */
  form?: true;
}

/** A type with a name, since the compiler would write out all codes at each place that uses them. */
export interface RefusalCode extends z.ZodEnum<{ [Name in Code]: Name }> {}
export const RefusalCode: RefusalCode = z.enum(refusalCodes);

/** May it be done, and if not, why not. */
export const Permission = z.object({
  allowed: z.boolean(),
  /** Why not, as a code that the console puts into words; null if it is allowed. */
  refusal: RefusalCode.nullable(),
});
export type Permission = z.infer<typeof Permission>;
