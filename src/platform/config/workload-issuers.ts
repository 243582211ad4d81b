import { z } from 'zod';
import { isPrivateAddress } from '../model/names.ts';
import { refuseVariable } from './config.ts';
import type { Environment } from './env.ts';
import { readJsonFile } from './secrets.ts';

const address = z.url().refine(isPrivateAddress, 'Give an https address.');

const WorkloadIssuers = z.array(
  z.strictObject({
    issuer: address,
    jwks: address.optional(),
    /** Seconds; a day at most. */
    longestLife: z.int().min(60).max(86_400).default(3_600),
  }),
);
/** Issuers whose tokens workloads can show instead of a key. */
export type WorkloadIssuers = z.infer<typeof WorkloadIssuers>;

/** Issuers from the file; none without it. Problem `config-invalid` names the file and the place in it. */
export function readWorkloadIssuers({ ASSENTRY_WORKLOAD_ISSUERS: file }: Environment): WorkloadIssuers {
  if (file === undefined) return [];
  const { data, error } = WorkloadIssuers.safeParse(readJsonFile(variable, file, usage));
  if (data && new Set(data.map(({ issuer }) => issuer)).size === data.length) return data;
  const place = error?.issues[0]?.path.join('.') ?? 'an issuer that is there twice';
  throw refuseVariable(variable, `${file}, which is wrong at ${JSON.stringify(place)}`, usage);
}

const variable = 'ASSENTRY_WORKLOAD_ISSUERS';
const usage = 'give a file like the one in docs/automation.md, with the issuer of each kind of workload';
