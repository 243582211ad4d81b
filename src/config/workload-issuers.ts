import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { isLoopback } from '../model/names.ts';
import { refuseVariable } from './config.ts';
import type { Environment } from './env.ts';

const address = z
  .url()
  .refine((text) => new URL(text).protocol === 'https:' || isLoopback(text), 'Give an https address.');

const WorkloadIssuers = z.array(
  z.strictObject({
    issuer: address,
    jwks: address.optional(),
    /** Seconds: a day at most. */
    longestLife: z.int().min(60).max(86_400).default(3_600),
  }),
);
/** Whose tokens workloads can show instead of a key. */
export type WorkloadIssuers = z.infer<typeof WorkloadIssuers>;

/** None without the file; problem `config-invalid` names the file and the place in it. */
export function readWorkloadIssuers({ ASSENTRY_WORKLOAD_ISSUERS: file }: Environment): WorkloadIssuers {
  if (file === undefined) return [];
  const { data, error } = WorkloadIssuers.safeParse(parse(file));
  if (data && new Set(data.map(({ issuer }) => issuer)).size === data.length) return data;
  throw refuse(
    `${file}, which is wrong at ${JSON.stringify(error?.issues[0]?.path.join('.') ?? 'an issuer that is there twice')}`,
  );
}

function parse(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    throw refuse(`${file}, which cannot be read as JSON`);
  }
}

const refuse = (finding: string) =>
  refuseVariable(
    'ASSENTRY_WORKLOAD_ISSUERS',
    finding,
    'give a file like the one in docs/automation.md, with the issuer of each kind of workload',
  );
