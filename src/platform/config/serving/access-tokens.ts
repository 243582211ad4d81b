import { z } from 'zod';
import { refuseVariable } from '../config.ts';
import type { Environment } from '../env.ts';
import { readJsonFile } from '../secrets/json-file.ts';

const address = z.url().refine((text) => {
  const { protocol, hostname } = new URL(text);
  return protocol === 'https:' || ['127.0.0.1', '[::1]', 'localhost'].includes(hostname);
}, 'Give an https address.');

const name = z.string().min(1);
const audience = z.union([name.transform((only) => [only]), z.array(name).min(1)]);
const tokens = { issuer: name, audience };

const TokenSource = z.union([
  z.strictObject({ ...tokens, jwks: address }),
  z.strictObject({ ...tokens, introspection: address, clientId: name, clientSecret: name }),
]);

const TokenSources = z.record(z.string(), TokenSource);
/** By the name of each server, what checks the access tokens of its callers. */
export type TokenSources = Readonly<z.infer<typeof TokenSources>>;

/**
 * By the name of each server, what checks its callers' access tokens; none without the file. Problem `config-invalid`
 * names the file and the place in it, and repeats no secret.
 */
export function readTokenSources({ ASSENTRY_ACCESS_TOKENS: file }: Environment): TokenSources {
  if (file === undefined) return {};
  const { data, error } = TokenSources.safeParse(readJsonFile(variable, file, usage));
  if (data) return data;
  const place = error.issues[0]?.path.join('.') ?? '';
  throw refuseVariable(variable, `${file}, which is wrong at ${JSON.stringify(place)}`, usage);
}

const variable = 'ASSENTRY_ACCESS_TOKENS';
const usage =
  'give a file like the one in docs/settings.md, with issuer, audience and jwks or introspection of each server';
