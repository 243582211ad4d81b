import { harmingCommands, type HarmingCommand } from '../../known-tools/harming-commands.ts';
import { anything, readCommands, type Command, type Variables } from '../../own-files/shell-words.ts';

/**
 * What a command line destroys or sends, as far as its words tell: a phrase for each. A command counts wherever it stands, also in a
 * substitution, in the text of another shell, and behind programs that start it.
 */
export function harmsOf(line: string, variables: Variables): string[] {
  const commands = readCommands(line, variables).flatMap(startedBy);
  return [...new Set(commands.flatMap(harmOf))].slice(0, maxPhrases);
}

const maxPhrases = 5;
const maxPhrase = 300;

/** Programs that start the one behind their options. */
const starters =
  /^(?:sudo|doas|env|exec|nohup|time|timeout|command|builtin|nice|ionice|setsid|stdbuf|xargs|watch|busybox|strace|flock|chroot|npx|bunx|pnpx|then|else|do|if|while|until|[!{]|\w+=.*)$/s;
const finding = /^-(?:exec|execdir|ok|okdir)$/;

/** The command itself, and each that its words start. */
function startedBy(command: Command): Command[] {
  const plain = command.map((word) => word.replaceAll(anything, '…'));
  const [first = ''] = plain;
  const inner = starters.test(programOf(first)) ? plain.findIndex((word, at) => at > 0 && isProgram(word)) : -1;
  const at = /^g?find$|^fd$/.test(programOf(first)) ? plain.findIndex((word) => finding.test(word)) + 1 : 0;
  return [plain, ...(inner > 0 ? startedBy(plain.slice(inner)) : []), ...(at > 0 ? startedBy(plain.slice(at)) : [])];
}

const isProgram = (word: string): boolean =>
  Object.hasOwn(harmingCommands, programOf(word)) || starters.test(programOf(word)) || isFormatting(programOf(word));
const isFormatting = (program: string): boolean => /^(?:mkfs|newfs)\b/.test(program);

const programOf = (word: string): string => word.replace(/^.*[\\/]|\.exe$/gi, '');

function harmOf([first = '', ...words]: Command): string[] {
  const program = isFormatting(programOf(first)) ? 'mkfs' : programOf(first);
  const rows = Object.hasOwn(harmingCommands, program) ? (harmingCommands[program] ?? []) : [];
  const row = rows.find((candidate) => fits(candidate, words));
  return row ? [phraseOf(row, words)] : [];
}

/** Global options of these programs take the next word. */
const valued =
  /^(?:-C|-c|-n|--namespace|--context|--git-dir|--work-tree|-f|--file|-H|--host|--profile|--region|--prefix)$/;

/** Words that are no options, nor the value of one before the first. */
function operandsOf(words: string[]): string[] {
  const operands = words.filter((word, at) => !/^-./.test(word) && !valued.test(words[at - 1] ?? ''));
  return operands.length > 0 ? operands : words.filter((word) => !/^-./.test(word));
}

function fits({ words: names, with: form }: HarmingCommand, words: string[]): boolean {
  const first = operandsOf(words)[0] ?? '';
  if (names !== undefined && !new RegExp(`^(?:${names})$`).test(first)) return false;
  const rest = names === undefined ? words : words.slice(words.indexOf(first) + 1);
  return form === undefined || withMethods(rest).some((word) => form.test(word));
}

/** The method of a request joined to its option: `-X POST` as `-XPOST`. */
const withMethods = (words: string[]): string[] =>
  words.map((word, at) => {
    if (/^-[a-zA-Z]*X$/.test(word)) return `${word}${words[at + 1] ?? ''}`;
    return word === '--request' ? `${word}=${words[at + 1] ?? ''}` : word;
  });

function phraseOf({ says, words: names, with: form }: HarmingCommand, words: string[]): string {
  const operands = operandsOf(words).slice(names === undefined ? 0 : 1);
  const values: Record<string, string> = {
    operands: operands.join(' ') || 'what it does not name',
    hosts: operands.flatMap(hostOf).join(', ') || 'an address that it does not show',
    options: words.filter((word) => form?.test(word)).join(' ') || operands.join(' '),
    data: dataOf(words) || 'data',
  };
  return says.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '').slice(0, maxPhrase);
}

const hostOf = (word: string): string[] => {
  const [, host] =
    /^(?:\w+:\/\/)?(?:[^/@]*@)?([\w.-]+\.[\w-]+|localhost|\[[\d:a-f]+\])(?::\d+)?(?:\/|$|\?)/i.exec(word) ?? [];
  return host === undefined ? [] : [host];
};

const sending =
  /^(?:-[a-zA-Z]*[dFT]|--(?:data|data-\w+|form|json|upload-file|post-data|post-file|body-data|body-file))(?:=(.*))?$/s;

/** What a sending option is given, without the marks before a file. */
function dataOf(words: string[]): string {
  const values = words.flatMap((word, at) => {
    const joined = /^-[a-zA-Z]*?[dFT](.+)$/s.exec(word);
    if (joined && !word.startsWith('--')) return [joined[1] ?? ''];
    const match = sending.exec(word);
    return match ? [match[1] ?? words[at + 1] ?? ''] : [];
  });
  return values.map((value) => value.replace(/^(?:[\w.-]+=)?[@<]/, '')).join(', ');
}
