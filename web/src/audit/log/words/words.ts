import { auditWords } from '#locales/audit';
import { auditLineWords } from '#locales/audit-line';
import { auditLogWords } from '#locales/audit-log';
import { auditRecordWords } from '#locales/audit-record';
import type { RequestOutcome } from '#audit/reports/contract/report';
import { language } from '../../../language/language.ts';

/** Words of reviewers' questions. */
export const { codes, columns, holds, proof, questions, receipt, words } = auditWords[language];

export const outcomeNames = { ...codes.outcome, ...codes.lapse } as Record<RequestOutcome, string>;

export const nameOutcome = (outcome: string): string => (outcomeNames as Record<string, string>)[outcome] ?? outcome;

/** Words of a search in the log. */
export const { actors, log, types } = auditLogWords[language];

/** Words of the record of one request. */
export const { facts } = auditRecordWords[language];
export const record = { ...auditRecordWords[language].record, policy: nameVersion };

/** Grammar and words of a question in one line. */
export const { grammar, line } = auditLineWords[language];

/** Writes "payments@3" as "payments, version 3". */
function nameVersion(policy: string): string {
  const [, name, version] = /^(.*)@(\d+)$/s.exec(policy) ?? [];
  return name === undefined || version === undefined ? policy : auditRecordWords[language].record.policy(name, version);
}
