import { isPrivateAddress } from '../../model/names.ts';
import { refuseVariable } from '../config.ts';
import type { Environment } from '../env.ts';

/** Where copies of heads of the log go, and who may write them. */
export interface LogBucket {
  /** The address of the bucket, or of a folder in it, without a slash at the end. */
  url: string;
  /** Null if the address says it, or the bucket has no regions. */
  region: string | null;
  accessKeyId: string;
  secretAccessKey: string;
  /** For so many days no one may change or delete a copy. */
  days: number;
}

/** The bucket for copies of heads, or null if there is none; problem `config-invalid` never repeats a key. */
export function readLogBucket(environment: Environment): LogBucket | null {
  const { ASSENTRY_LOG_BUCKET: text, ASSENTRY_LOG_BUCKET_KEY: key } = environment;
  if (text === undefined && key === undefined) return null;
  return { url: readUrl(text), region: readRegion(environment), ...readKey(key), days: readDays(environment) };
}

function readUrl(text: string | undefined): string {
  const url = text !== undefined && URL.canParse(text) ? new URL(text) : null;
  const isPlain = url?.href === `${url?.origin}${url?.pathname}` && /^[\w./-]*$/.test(url.pathname);
  if (url && isPrivateAddress(url.href) && isPlain) return url.href.replace(/\/+$/, '');
  const shown = text?.includes('@') ? 'something with an @, which may hold a key' : JSON.stringify(text);
  const allowed = 'give the https address of the bucket, such as https://s3.eu-central-1.amazonaws.com/bucket/assentry';
  throw refuseVariable('ASSENTRY_LOG_BUCKET', shown ?? 'nothing', allowed);
}

function readKey(text: string | undefined): Pick<LogBucket, 'accessKeyId' | 'secretAccessKey'> {
  const [, accessKeyId, secretAccessKey] = /^([\w-]{3,128}):(\S{8,128})$/.exec(text ?? '') ?? [];
  if (accessKeyId !== undefined && secretAccessKey !== undefined) return { accessKeyId, secretAccessKey };
  const finding = text === undefined ? 'nothing' : 'something of another form (not shown, for it holds a secret)';
  throw refuseVariable('ASSENTRY_LOG_BUCKET_KEY', finding, 'give the access key id, a colon and the secret access key');
}

function readRegion({ ASSENTRY_LOG_BUCKET_REGION: text }: Environment): string | null {
  if (text === undefined || /^[a-z\d-]{1,64}$/.test(text)) return text ?? null;
  throw refuseVariable('ASSENTRY_LOG_BUCKET_REGION', JSON.stringify(text), 'give a name such as eu-central-1');
}

function readDays({ ASSENTRY_LOG_BUCKET_DAYS: text = '365' }: Environment): number {
  if (/^[1-9]\d{0,4}$/.test(text)) return Number(text);
  throw refuseVariable('ASSENTRY_LOG_BUCKET_DAYS', JSON.stringify(text), 'give a number of days from 1 to 99999');
}
