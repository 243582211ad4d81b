import { readFileSync } from 'node:fs';
import {
  streamFormats,
  type LogStream,
  type StreamFormat,
  type StreamTls,
  type StreamWays,
} from '#audit/streams/contract';
import { refuseVariable } from './config.ts';
import type { Environment, VariableName } from './env.ts';
import type { WebhookReach } from '#notify/webhooks/contract/webhook';
import { isNetwork } from './serving.ts';
import { isPrivateAddress } from '../model/names.ts';

/** Destinations of log streams; problem `config-invalid` names the fault, and never repeats an address. */
export function readLogStreams(environment: Environment): StreamWays {
  const { ASSENTRY_LOG_STREAMS: text } = environment;
  const streams = text === undefined ? [] : text.split(',').map((part) => readStream(part.trim()));
  const names = streams.map(({ name }) => name);
  const twin = names.find((name, at) => names.indexOf(name) !== at);
  if (twin !== undefined) throw refuseStreams(`the name ${twin} twice`);
  return { streams, secret: readSecret(environment, streams), tls: readTls(environment) };
}

function readStream(part: string): LogStream {
  const [, name = '', word = '', address = ''] = /^([a-z\d-]{1,32}) +(\S+) +(\S+)$/.exec(part) ?? [];
  const format = streamFormats.find((choice) => choice === word);
  const url = URL.canParse(address) ? new URL(address) : null;
  if (!format || !url || !mayGo(url, format))
    throw refuseStreams('something of another form (not shown, for it may hold a token)');
  return { name, format, url: url.href };
}

/** Is the address allowed for this format? A line of CEF has no place in the JSON of a webhook. */
function mayGo(url: URL, format: StreamFormat): boolean {
  const { protocol, hostname, pathname, search, hash, username, password } = url;
  if (hostname === '' || `${hash}${username}${password}` !== '') return false;
  if (protocol === 'https:') return format !== 'cef';
  return protocol === 'syslog+tls:' && ['', '/'].includes(pathname) && search === '';
}

const refuseStreams = (finding: string) =>
  refuseVariable(
    'ASSENTRY_LOG_STREAMS',
    finding,
    'give "NAME FORMAT ADDRESS, …", such as "siem cef syslog+tls://logs.example.com" or "lake ocsf https://lake.example.com/in"',
  );

function readSecret({ ASSENTRY_LOG_STREAMS_SECRET: text }: Environment, streams: LogStream[]): string | null {
  const isNeeded = streams.some(({ url }) => url.startsWith('https:'));
  if (text === undefined && !isNeeded) return null;
  const bytes = Buffer.from(/^whsec_([A-Za-z\d+/]+={0,2})$/.exec(text ?? '')?.[1] ?? '', 'base64').length;
  if (text !== undefined && bytes >= 24 && bytes <= 64) return text;
  const finding = text === undefined ? 'nothing' : 'something else (not shown, for it is a secret)';
  const allowed = 'give whsec_ and 24 to 64 bytes as base64, such as from echo "whsec_$(openssl rand -base64 32)"';
  throw refuseVariable('ASSENTRY_LOG_STREAMS_SECRET', finding, allowed);
}

function readTls(environment: Environment): StreamTls {
  const ca = readPem(environment, 'ASSENTRY_LOG_STREAMS_CA');
  const cert = readPem(environment, 'ASSENTRY_LOG_STREAMS_CERT');
  const key = readPem(environment, 'ASSENTRY_LOG_STREAMS_KEY');
  if ((cert === null) !== (key === null))
    throw refuseVariable(
      cert === null ? 'ASSENTRY_LOG_STREAMS_CERT' : 'ASSENTRY_LOG_STREAMS_KEY',
      'nothing',
      'give the files of certificate and key, or neither',
    );
  return { ...(ca !== null && { ca }), ...(cert !== null && key !== null && { cert, key }) };
}

function readPem(environment: Environment, name: VariableName): string | null {
  const file = environment[name];
  if (file === undefined) return null;
  const text = readIfThere(file);
  if (text?.includes('-----BEGIN ')) return text;
  throw refuseVariable(name, JSON.stringify(file), 'give a file in PEM that this user may read');
}

function readIfThere(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

/** Networks that webhooks can reach; problem `config-invalid` names invalid ones. */
export function readWebhooks({ ASSENTRY_WEBHOOK_NETWORKS: text }: Environment): WebhookReach {
  const networks = text === undefined ? [] : text.split(',').map((network) => network.trim());
  const wrong = networks.find((network) => !network.includes('/') || !isNetwork(network));
  if (wrong === undefined) return { networks };
  const allowed = 'give networks such as 10.0.0.0/8 or 192.168.7.9/32, separated by commas';
  throw refuseVariable('ASSENTRY_WEBHOOK_NETWORKS', JSON.stringify(wrong), allowed);
}

/** A witness from the settings. */
export interface NamedWitness {
  /** Its verifier key. */
  key: string;
  /** Without a slash at the end. */
  url: string;
}

/** The witnesses of the log; problem `config-invalid` names the fault. */
export function readWitnesses({ ASSENTRY_WITNESSES: text }: Environment): NamedWitness[] {
  const parts = text === undefined ? [] : text.split(',').map((part) => part.trim());
  return parts.map((part) => readWitness(part));
}

function readWitness(part: string): NamedWitness {
  const [, key = '', address = ''] = /^(\S+) +(\S+)$/.exec(part) ?? [];
  const url = URL.canParse(address) ? new URL(address) : null;
  if (
    /^[^\s+]+\+[0-9a-f]{8}\+[A-Za-z0-9+/=]+$/u.test(key) &&
    url &&
    isPrivateAddress(address) &&
    url.search === '' &&
    url.hash === ''
  ) {
    return { key, url: url.href.replace(/\/$/, '') };
  }
  const allowed = 'give "KEY URL, KEY URL" with the key that each witness prints, and https outside of this machine';
  throw refuseVariable('ASSENTRY_WITNESSES', JSON.stringify(part), allowed);
}
