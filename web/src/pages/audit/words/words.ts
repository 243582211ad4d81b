import { spoken } from '../../../lib/language/language.ts';
import * as english from './english.ts';
import * as englishLog from './english-log.ts';
import * as englishQuestion from './english-question.ts';
import * as englishRecord from './english-record.ts';
import * as germanLog from './german-log.ts';
import * as germanQuestion from './german-question.ts';
import * as germanRecord from './german-record.ts';
import * as german from './german.ts';

/** The words of the questions that reviewers ask. */
export const { codes, columns, holds, proof, questions, receipt, words } = spoken<typeof english>({
  en: english,
  de: german,
});

/** The words of a search in the log. */
export const { actors, log, types } = spoken<typeof englishLog>({ en: englishLog, de: germanLog });

/** The words of the record of one request. */
export const { facts, record } = spoken<typeof englishRecord>({ en: englishRecord, de: germanRecord });

/** What a question in one line is made of. */
export const { grammar, line } = spoken<typeof englishQuestion>({ en: englishQuestion, de: germanQuestion });
