import type { RequestOutcome } from '#audit/reports/contract/report';
import { spoken } from '../../../language/language.ts';
import * as english from './english.ts';
import * as englishLog from './english-log.ts';
import * as englishQuestion from './english-question.ts';
import * as englishRecord from './english-record.ts';
import * as germanLog from './german-log.ts';
import * as frenchLog from './french-log.ts';
import * as germanQuestion from './german-question.ts';
import * as frenchQuestion from './french-question.ts';
import * as germanRecord from './german-record.ts';
import * as frenchRecord from './french-record.ts';
import * as german from './german.ts';
import * as french from './french.ts';

/** The words of the questions that reviewers ask. */
export const { codes, columns, holds, proof, questions, receipt, words } = spoken<typeof english>({
  en: english,
  de: german,
  fr: french,
});

export const outcomeNames = { ...codes.outcome, ...codes.lapse } as Record<RequestOutcome, string>;

export const nameOutcome = (outcome: string): string => (outcomeNames as Record<string, string>)[outcome] ?? outcome;

/** The words of a search in the log. */
export const { actors, log, types } = spoken<typeof englishLog>({ en: englishLog, de: germanLog, fr: frenchLog });

/** The words of the record of one request. */
export const { facts, record } = spoken<typeof englishRecord>({
  en: englishRecord,
  de: germanRecord,
  fr: frenchRecord,
});

/** What a question in one line is made of. */
export const { grammar, line } = spoken<typeof englishQuestion>({
  en: englishQuestion,
  de: germanQuestion,
  fr: frenchQuestion,
});
