import { createPrivateKey } from 'node:crypto';
import { z } from 'zod';
import { autoProviders } from '#connect/auto/rules';
import { faultOfSecret } from '#connect/events/rules/signature';
import { Address, Host } from '#connect/providers/address';
import { AskedProvider, autoKey } from '#connect/providers/auto';
import { Provider, type ConnectProvider, type OutcomeProvider } from '#connect/providers/provider';
import { Scopes } from '#connect/providers/scopes';
import { presets } from '#connect/providers/providers';
import { says, type ApiName } from '#connect/providers/signed-events';
import { formatFault } from '#connect/providers/fault';
import { faultOfIssuer } from '../model/identity.ts';
import { isCredential, namePattern, nameRule } from '../model/names.ts';
import type { Environment } from './env.ts';
import { readJsonFile, readSecretFile, refuseContent } from './secrets.ts';

const text = z.string().min(1, 'Give a text that is not empty.').max(512, 'Give at most 512 characters.');
const presetNames = [...presets.keys()].join(', ');

/** Settings by which people connect accounts. */
const ofConnections = {
  clientId: text.optional(),
  clientSecret: text.optional(),
  clientSecretFile: text.optional(),
  scopes: Scopes.optional(),
  /** Further hosts to which its tokens may be sent, such as an MCP server's. */
  apiHosts: z.array(Host).max(50).optional(),
};

/** Settings of what a provider reports. */
const ofEvents = {
  signingSecretFiles: z.array(text).min(1, 'Name the files of the signing secrets.').max(10).optional(),
  keyFile: text.optional(),
  /** The app and the person that the API acts as. */
  actsAs: text.optional(),
  apiUrl: Address.optional(),
  accounts: z.array(text).min(1, 'Name who may get money.').max(50).optional(),
  live: z.boolean().optional(),
  label: z.string().min(1).max(64).optional(),
  pageHosts: z.array(Host).max(20).optional(),
};

const servers = z.array(z.string().regex(namePattern, nameRule)).min(1, 'Name the servers that may use it.').max(1000);

const Settings = z
  .strictObject({
    use: z
      .string()
      .refine((name) => presets.has(name), `Give one of ${presetNames}, or a "description" instead.`)
      .optional(),
    description: Provider.refine(({ oauth, events }) => oauth !== undefined || events !== undefined, {
      path: ['oauth'],
      message: 'Describe how people connect to it, or what it reports in "events".',
    }).optional(),
    ...ofConnections,
    ...ofEvents,
    servers,
  })
  .refine(({ use, description }) => (use === undefined) !== (description === undefined), {
    path: ['use'],
    message: 'Give either use or description.',
  })
  .superRefine((settings, { addIssue }) => {
    const isNamed = settings.use !== undefined && presets.has(settings.use);
    if (isNamed === (settings.description !== undefined)) return;
    const description = descriptionOf(settings);
    const faults = [...faultsOfConnections(settings, description), ...faultsOfEvents(settings, description)];
    for (const [name, message] of faults) addIssue({ code: 'custom', path: [name], message });
  });
type Settings = z.output<typeof Settings>;

const Issuer = z.string().superRefine((text, { addIssue }) => {
  const message = faultOfIssuer(text);
  if (message !== null) addIssue({ code: 'custom', message });
});

/** A client that the operator has registered; without a secret it is public. */
const AutoClient = z
  .strictObject({ clientId: text, clientSecret: text.optional(), clientSecretFile: text.optional() })
  .refine(({ clientSecret, clientSecretFile }) => clientSecret === undefined || clientSecretFile === undefined, {
    path: ['clientSecretFile'],
    message: 'Give either clientSecretFile or clientSecret.',
  });

/** Servers that name their provider themselves. */
const Auto = z
  .strictObject({
    servers,
    issuers: z.array(Issuer).min(1, 'Name the issuers to which people may be sent.').max(100),
    scopes: Scopes.default([]),
    clients: z.record(z.string(), AutoClient).default({}),
  })
  .superRefine(({ issuers, clients }, { addIssue }) => {
    const other = Object.keys(clients).find((issuer) => !issuers.includes(issuer));
    if (other === undefined) return;
    addIssue({ code: 'custom', path: ['clients', other], message: 'Add it to "issuers" as well, or leave it out.' });
  });

const Providers = z
  .object({ [autoKey]: Auto.optional() })
  .catchall(Settings)
  .superRefine((providers, { addIssue }) => {
    const message = 'Name a provider by small letters, digits and hyphens, and not as one of "auto".';
    for (const name of Object.keys(providers))
      if (!AskedProvider.safeParse(name).success) addIssue({ code: 'custom', path: [name], message });
  });

export interface ConfiguredProviders {
  /** Where people connect accounts. */
  connectProviders: ConnectProvider[];
  /** Where people pay and sign. */
  outcomeProviders: OutcomeProvider[];
}

/**
 * Providers in the order of the file; none without it. One that both connects accounts and reports events is in both lists.
 * Problem `config-invalid` names the file, the place in it and the remedy, and repeats no value.
 */
export function readProviders({ ASSENTRY_PROVIDERS: file }: Environment): ConfiguredProviders {
  if (file === undefined) return { connectProviders: [], outcomeProviders: [] };
  const { data, error } = Providers.safeParse(readJsonFile(variable, file, usage), { error: formatFault });
  if (!data) throw refuseContent(variable, file, error.issues[0], usage);
  const { [autoKey]: auto, ...described } = data;
  const providers = Object.entries(described);
  return {
    connectProviders: [
      ...providers.flatMap(([key, settings]) => connectProviderOf(key, settings, file)),
      ...(auto ? autoProvidersOf(auto, file) : []),
    ],
    outcomeProviders: providers.flatMap(([key, settings]) => outcomeProviderOf(key, settings, file)),
  };
}

const variable = 'ASSENTRY_PROVIDERS';
const usage =
  'give a JSON file that has, for each provider, "use" or a "description", servers, and what it needs: clientId, a secret and scopes to connect accounts, signingSecretFiles for events';

const descriptionOf = ({ use, description }: Pick<Settings, 'use' | 'description'>): Provider =>
  description ?? Provider.parse(presets.get(use ?? ''));

/** Member that is wrong, and what to do. */
type Fault = [keyof Settings, string];

function* faultsOfConnections(settings: Settings, { oauth, events, label }: Provider): Generator<Fault> {
  const { clientId, clientSecret, clientSecretFile } = settings;
  if (oauth) {
    if (clientId === undefined) yield ['clientId', `Give the id under which ${label} knows Assentry.`];
    if ((clientSecret === undefined) === (clientSecretFile === undefined))
      yield ['clientSecretFile', 'Give either clientSecretFile or clientSecret.'];
    return;
  }
  const callsAsApp = events?.api?.name === 'docusign' && settings.keyFile !== undefined;
  for (const name of namesIn(ofConnections))
    if (settings[name] !== undefined && !(name === 'clientId' && callsAsApp))
      yield [name, `Leave it out: people connect no accounts at ${label}.`];
}

function* faultsOfEvents(settings: Settings, description: Provider): Generator<Fault> {
  const { events, label, pageHosts } = description;
  if (!events) {
    for (const name of namesIn(ofEvents))
      if (settings[name] !== undefined) yield [name, `Leave it out: ${label} reports no payments or signatures.`];
    return;
  }
  const { api } = events;
  const hasApi = settings.keyFile !== undefined;
  const isDocusign = hasApi && api?.name === 'docusign';
  const needed: [keyof Settings, boolean, string][] = [
    ['signingSecretFiles', true, 'Name the files of the secrets by which its events are signed.'],
    [
      'accounts',
      says(events, 'payee') || isDocusign,
      'Name your own there: who may get money, or whose envelopes they are.',
    ],
    ['live', says(events, 'isLive'), 'Say whether it is live: true, or false for its test mode.'],
    ['actsAs', isDocusign, 'Give the id of the person in whose name the API is called.'],
    ['clientId', isDocusign, 'Give the id of the app that calls the API.'],
    ['apiUrl', hasApi && api !== undefined && api.url === undefined, 'Give the address of the API.'],
  ];
  for (const [name, isNeeded, message] of needed) if (isNeeded && settings[name] === undefined) yield [name, message];
  if (hasApi && !api) yield ['keyFile', `Leave it out: Assentry does not call ${label}.`];
  if (!hasApi && settings.apiUrl !== undefined) yield ['apiUrl', 'Leave it out, or give a keyFile as well.'];
  if (!isDocusign && settings.actsAs !== undefined) yield ['actsAs', 'Leave it out: the API needs no person.'];
  if (!says(events, 'isLive') && settings.live !== undefined)
    yield ['live', `Leave it out: ${label} signs live and test events with different secrets.`];
  if (!says(events, 'payee') && !isDocusign && settings.accounts !== undefined)
    yield ['accounts', `Leave it out: ${label} does not say who gets money.`];
  if (pageHosts.length + (settings.pageHosts?.length ?? 0) === 0)
    yield ['pageHosts', 'Name the hosts of the pages to which people are sent.'];
}

const namesIn = <T extends object>(members: T): (keyof T)[] => Object.keys(members) as (keyof T)[];

function autoProvidersOf({ clients, ...auto }: z.output<typeof Auto>, file: string): ConnectProvider[] {
  const named = Object.entries(clients).map(([issuer, { clientId, clientSecret, clientSecretFile }]) => {
    const place = { variable, file, where: `${autoKey}.clients.${issuer}.clientSecretFile`, usage } as const;
    const read = clientSecretFile === undefined ? null : readSecretFile(clientSecretFile, place);
    return [issuer, { clientId, clientSecret: clientSecret ?? read }] as const;
  });
  return autoProviders({ ...auto, clients: Object.fromEntries(named) });
}

function connectProviderOf(key: string, settings: Settings, file: string): ConnectProvider[] {
  const description = descriptionOf(settings);
  const { clientId = '', clientSecret, clientSecretFile = '', scopes = [], apiHosts = [], servers } = settings;
  if (!description.oauth) return [];
  const place = { variable, file, where: `${key}.clientSecretFile`, usage } as const;
  return [
    {
      ...description,
      key,
      apiHosts: [...description.apiHosts, ...apiHosts],
      clientId,
      clientSecret: clientSecret ?? readSecretFile(clientSecretFile, place),
      scopes,
      servers,
    },
  ];
}

function outcomeProviderOf(key: string, settings: Settings, file: string): OutcomeProvider[] {
  const { events, ...description } = descriptionOf(settings);
  const { signingSecretFiles = [], label = description.label, pageHosts = [], servers, accounts = [], live } = settings;
  if (!events) return [];
  const signingSecrets = signingSecretFiles.map((name, index) =>
    readSecretFile(name, {
      variable,
      file,
      usage,
      where: `${key}.signingSecretFiles.${index}`,
      faultOf: (secret) => faultOfSecret(events.signed, secret),
    }),
  );
  return [
    {
      ...description,
      label,
      events,
      key,
      pageHosts: [...new Set([...description.pageHosts, ...pageHosts])],
      servers,
      signingSecrets,
      accounts,
      live: live ?? null,
      api: apiOf(key, settings, events.api, file),
    },
  ];
}

function apiOf(
  key: string,
  { keyFile, apiUrl, clientId, actsAs, live }: Settings,
  api: NonNullable<OutcomeProvider['events']>['api'],
  file: string,
): OutcomeProvider['api'] {
  if (!api || keyFile === undefined) return null;
  const secret = readSecretFile(keyFile, {
    variable,
    file,
    usage,
    where: `${key}.keyFile`,
    faultOf: (text) => keyFaults[api.name](text, live),
  });
  return { url: (apiUrl ?? api.url ?? '').replace(/\/+$/, ''), key: secret, clientId, actsAs };
}

/** What is wrong with the key of an API, as the operator is told; null if it can be one. */
const keyFaults: Record<ApiName, (text: string, live?: boolean) => string | null> = {
  stripe(text, live) {
    if (!isCredential(text)) return 'which is no key of an API';
    const mode = /^[a-z]+_(live|test)_/.exec(text)?.[1];
    return mode === undefined || (mode === 'live') === live ? null : `which is of the ${mode} mode, unlike "live"`;
  },
  docusign(text) {
    try {
      return createPrivateKey(text).asymmetricKeyType === 'rsa' ? null : 'which is no private key of RSA';
    } catch {
      return 'which is no private key in PEM';
    }
  },
};
