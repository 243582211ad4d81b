import { z } from 'zod';
import { Provider, providerKeyPattern, Scopes, type ConnectProvider } from '#connect/providers/provider';
import { presets } from '#connect/providers/providers';
import { namePattern, nameRule } from '../model/names.ts';
import type { Environment } from './env.ts';
import { readJsonFile, readSecretFile, refuseContent } from './secrets.ts';

const text = z.string().min(1, 'Give a text that is not empty.').max(512, 'Give at most 512 characters.');
const presetNames = [...presets.keys()].join(', ');

const Settings = z
  .strictObject({
    use: z
      .string()
      .refine((name) => presets.has(name), `Give one of ${presetNames}, or a "description" instead.`)
      .optional(),
    description: Provider.refine(({ oauth }) => oauth !== undefined, {
      path: ['oauth'],
      message: 'Describe how people connect to it.',
    }).optional(),
    clientId: text,
    clientSecret: text.optional(),
    clientSecretFile: text.optional(),
    scopes: Scopes.default([]),
    servers: z.array(z.string().regex(namePattern, nameRule)).min(1, 'Name the servers that may use it.').max(1000),
  })
  .refine(({ use, description }) => (use === undefined) !== (description === undefined), {
    path: ['use'],
    message: 'Give either use or description.',
  })
  .refine(({ clientSecret, clientSecretFile }) => (clientSecret === undefined) !== (clientSecretFile === undefined), {
    path: ['clientSecretFile'],
    message: 'Give either clientSecretFile or clientSecret.',
  });

const key = z.string().regex(providerKeyPattern, 'Name a provider by small letters, digits and hyphens.');
const Providers = z.record(key, Settings);

/**
 * Providers at which people connect accounts, in the order of the file; none without it. Problem `config-invalid` names the
 * file, the place in it and the remedy, and repeats no value.
 */
export function readConnectProviders({ ASSENTRY_PROVIDERS: file }: Environment): ConnectProvider[] {
  if (file === undefined) return [];
  const { data, error } = Providers.safeParse(readJsonFile(variable, file, usage));
  if (!data) throw refuseContent(variable, file, error.issues[0], usage);
  return Object.entries(data).map(([key, { use, description, clientSecret, clientSecretFile, ...settings }]) => ({
    ...(description ?? Provider.parse(presets.get(use ?? ''))),
    ...settings,
    key,
    clientSecret:
      clientSecret ??
      readSecretFile(clientSecretFile ?? '', { variable, file, where: `${key}.clientSecretFile`, usage }),
  }));
}

const variable = 'ASSENTRY_PROVIDERS';
const usage =
  'give a JSON file that has, for each provider, "use" or a "description", clientId, a secret, scopes and servers';
