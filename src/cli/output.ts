import { Problem } from '../model/problem.ts';

/** The option of every command that is meant for scripts. */
export const asJson = ['--json', 'print one JSON document'] as const;

/** What stands below a command's help. */
export const examples = (...lines: string[]): ['after', string] => [
  'after',
  ['', lines.length === 1 ? 'Example:' : 'Examples:', ...lines.map((line) => `  ${line}`)].join('\n'),
];

/** Scripts get one JSON document and nothing else on standard output; people get sentences. */
export function printResult(json: boolean | undefined, document: Record<string, unknown>, sentences: string[]): void {
  process.stdout.write(json ? `${JSON.stringify(document)}\n` : `${sentences.join('\n')}\n`);
}

/** Says on standard error that something goes on. */
export const printProgress = (sentence: string): void => void process.stderr.write(`${sentence}\n`);

/** What happened, and what is wrong where; the stack only for what is no problem of ours. */
export function printProblem(error: unknown): void {
  if (!(error instanceof Problem)) {
    printProgress(`assentry: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    return;
  }
  const isInputWrong = error.code === 'INVALID_INPUT' && error.errors.length > 0;
  printProgress(`assentry: ${isInputWrong ? 'Nothing was done. Put this right and try again:' : error.message}`);
  for (const { path, message } of error.errors) printProgress(`  ${path.join('.')}: ${message}`);
}

/** Problem INVALID_INPUT with the word of the command line that is wrong. */
export function refuseWrong(word: string, isRight: boolean, message: string): void {
  if (!isRight) throw new Problem('INVALID_INPUT', { errors: [{ path: [word], message }] });
}
