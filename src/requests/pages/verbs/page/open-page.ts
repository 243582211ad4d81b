import { domainToUnicode } from 'node:url';
import type { Requester } from '#people/directory/contract/user';
import type { ElicitationRow } from '../../../state/store/row/row.ts';
import type { Engine } from '#platform/nodes/verbs/engine';
import { startFields, type PageField } from './page-form.ts';
import { pageVisitor } from './page-visitor.ts';
import type { PageLink } from '../callback/elicitation-by-token.ts';
import type { CodeLock } from '../proof/code-tries.ts';
import { requesterProof } from '../proof/requester-proof.ts';
import { findLock } from './prove-requester.ts';
import { openQuestion } from '../../../asking/verbs/question/sealed-question.ts';

/** The address of a question, as the requester must read it before they go. */
export interface PageAddress {
  url: string;
  /** What the browser will connect to. */
  host: string;
  /** The host in its real letters if it is written in Punycode; otherwise null. */
  unicodeHost: string | null;
  isSecure: boolean;
}

/** The whole question, for the person who was asked. */
export interface PageQuestion {
  server: string;
  tool: { name: string; title: string | null; reaches: string | null };
  requester: Requester;
  /** The stored bytes: canonical JSON. */
  arguments: string;
  message: string;
  reason: string | null;
  deadlineAt: number;
  now: number;
  /** The digest that an answer sends back. */
  digest: string;
  form: { title: string | null; description: string | null; fields: PageField[] } | null;
  address: PageAddress | null;
}

type Page =
  | { state: 'unproven'; way: 'code' | 'session' | 'closed'; lock: CodeLock | null }
  | { state: 'proven'; question: PageQuestion };

/**
 * What the page shows to the browser with this secret: nothing about the question before the proof. Changes nothing.
 */
export async function openPage(engine: Engine, row: ElicitationRow, link: PageLink, secret: string): Promise<Page> {
  if (await pageVisitor(engine, row, secret)) return { state: 'proven', question: pageQuestion(engine, row) };
  const { way } = requesterProof(engine.publicUrl(), openQuestion(engine.ring, row));
  return { state: 'unproven', way, lock: way === 'code' ? await findLock(engine, link, secret) : null };
}

export function pageQuestion(engine: Engine, row: ElicitationRow, fields?: PageField[]): PageQuestion {
  const { tool, schema, url, ...question } = openQuestion(engine.ring, row);
  const { message, reason, requester } = question;
  return {
    server: row.serverName,
    tool: {
      name: row.tool,
      title: tool.title,
      reaches: tool.reaches ?? null,
    },
    requester,
    message,
    reason,
    arguments: question.arguments,
    deadlineAt: row.deadlineAt,
    now: engine.now(),
    digest: row.digest,
    address: url === null ? null : describeAddress(url),
    form:
      schema && url === null
        ? {
            title: schema.title ?? null,
            description: schema.description ?? null,
            fields: fields ?? startFields(schema),
          }
        : null,
  };
}

function describeAddress(url: string): PageAddress {
  const { host, hostname, protocol } = new URL(url);
  const isPunycode = hostname.split('.').some((label) => label.startsWith('xn--'));
  return { url, host, unicodeHost: isPunycode ? domainToUnicode(hostname) : null, isSecure: protocol === 'https:' };
}
