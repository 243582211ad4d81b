import type { z } from 'zod';

/**
 * Who may call: an MCP server by its key, a person by their cookie, anyone who holds the token in the path, a service that
 * signs what it sends, or everyone.
 */
export type RouteAuth = 'key' | 'session' | 'token' | 'signature' | 'none';

export interface RouteContract {
  method: 'get' | 'post' | 'patch' | 'delete';
  /** With parameters in braces, as OpenAPI writes them. */
  path: string;
  auth: RouteAuth;
  summary: string;
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: z.ZodType;
  /** Status of success with what it brings; null brings nothing. */
  success: Record<number, z.ZodType | null>;
  /** Set where the answer is a stream of server-sent events carrying this. */
  events?: z.ZodType;
  /** Set where every answer is a page for people, and the body what their browser's form sends. */
  html?: true;
  /** Set where the answer is a file of this media type. */
  file?: string;
  /** Set where the last parameter of the path goes on over slashes. */
  isDeep?: true;
  /** Set where the body comes as a browser's form would send it. */
  form?: true;
}
