import { escapeHiddenInJson } from '#platform/text/hidden-characters';
import { invalidInput, Problem } from '#platform/model/problem';
import { revealColumns } from '#platform/text/visible-text';
import { readFile } from 'node:fs/promises';

// The only printer of the command line: it spells out hidden characters in stored text before a terminal shows it.

/** The option of every command that is meant for scripts. */
export const asJson = ['--json', 'print one JSON document'] as const;

/** The examples below a command's help. */
export const examples = (...lines: string[]): ['after', string] => [
  'after',
  ['', lines.length === 1 ? 'Example:' : 'Examples:', ...lines.map((line) => `  ${line}`)].join('\n'),
];

/** Scripts get one JSON document and nothing else on standard output; people get sentences, each on one line. */
export function printResult(json: boolean | undefined, document: Record<string, unknown>, sentences: string[]): void {
  process.stdout.write(json ? formatDocument(document) : formatSentences(sentences));
}

/** One JSON document in a line. */
export const formatDocument = (document: Record<string, unknown>): string =>
  `${escapeHiddenInJson(JSON.stringify(document))}\n`;

/** Sentences, each on one line. */
export const formatSentences = (sentences: readonly string[]): string => `${sentences.map(revealLine).join('\n')}\n`;

/** Something that is as it should be, or not. */
export interface Finding {
  about: string;
  isWrong: boolean;
  sentence: string;
}

export const right = (about: string, sentence: string): Finding => ({ about, isWrong: false, sentence });
export const wrong = (about: string, sentence: string): Finding => ({ about, isWrong: true, sentence });

/** One line each; the command fails if anything is wrong. */
export function printFindings(json: boolean | undefined, findings: readonly Finding[]): void {
  const lines = findings.map(({ about, isWrong, sentence }) => `${isWrong ? 'wrong' : 'ok   '}  ${about}: ${sentence}`);
  printResult(json, { findings }, lines);
  if (findings.some(({ isWrong }) => isWrong)) process.exitCode = 1;
}

/** A whole document on standard output: byte for byte into a file or a pipe, revealed on a terminal. */
export function printDocument(text: string): void {
  const shown = process.stdout.isTTY ? text.split('\n').map(revealLine).join('\n') : text;
  process.stdout.write(`${shown}\n`);
}

/** Anyone who reads only the beginning of an output, as `head` does, closes the pipe: that is no fault. */
export function allowClosedPipes(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
  }
}

type Level = 'info' | 'error';
let print = (_level: Level, sentences: string[]): void => void process.stderr.write(formatSentences(sentences));

/** From now on standard error gets lines of the node's log, unless it is a terminal: a collector reads only those. */
export function logProgress(log: Record<Level, (sentence: string) => void>): void {
  if (process.stderr.isTTY) return;
  print = (level, sentences) => log[level](sentences.map((sentence) => revealLine(sentence.trim())).join(' '));
}

/** Reports progress on standard error. */
export const printProgress = (...sentences: string[]): void => print('info', sentences);

/** Prints commander's own output: help, and errors in a command line. */
export const commanderOutput = {
  writeOut: (text: string): void => void process.stdout.write(text.split('\n').map(revealLine).join('\n')),
  writeErr: (text: string): void => void process.stderr.write(text.split('\n').map(revealLine).join('\n')),
  outputError: (text: string, write: (text: string) => void): void => write(text.replace(/^error: /, 'assentry: ')),
};

/** Prints an error and its place; the stack only if it is not a Problem. */
export function printProblem(error: unknown): void {
  if (!(error instanceof Problem)) {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    print('error', `assentry: ${text}`.split('\n'));
    return;
  }
  const isInputWrong = error.code === 'INVALID_INPUT' && error.errors.length > 0;
  print('error', [
    `assentry: ${isInputWrong ? 'Correct this and try again; nothing was done:' : error.message}`,
    ...error.errors.map(({ path, message }) => `  ${path.join('.')}: ${message}`),
  ]);
}

/** Throws problem INVALID_INPUT, which names the wrong word of the command line. */
export function assertOption(word: string, isRight: boolean, message: string): void {
  if (!isRight) throw invalidInput([word], message);
}

/** One line that stays one line: line breaks in stored text are spelled out. */
function revealLine(line: string): string {
  const indent = /^ */.exec(line)?.[0] ?? '';
  return indent + revealColumns(line.slice(indent.length)).replaceAll('\n', '⟨U+000A⟩');
}

/** The text of a file that an option names; problem INVALID_INPUT with its path if it cannot be read. */
export const readText = (file: string): Promise<string> =>
  readFile(file, 'utf8').catch((cause: unknown) => {
    const message = 'Check the path: it cannot be read.';
    throw new Problem('INVALID_INPUT', { errors: [{ path: [file], message }], cause });
  });
