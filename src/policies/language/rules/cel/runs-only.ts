/** Longer lines are no command that a person would have read. */
const maxLength = 10_000;

/**
 * Does a shell run nothing but these in this line? Each of its commands must begin with the words of one of them. A line
 * in which a shell could run, write or put in something else counts as another one: with a substitution, a variable, a redirection, a
 * pattern, a group, a comment, a job in the background, or an option by which a program starts another or writes a file, unless the
 * list names it.
 */
export function runsOnly(line: string, starts: readonly string[]): boolean {
  const commands = readSimple(line);
  if (!commands) return false;
  const allowed = starts.map(wordsOf).filter((words) => words.length > 0);
  return commands.length > 0 && commands.every((command) => allowed.some((words) => beginsWith(command, words)));
}

/** Correction for a beginning that is no plain command; null if it can be used. */
export const faultOfStart = (start: string): string | null =>
  wordsOf(start).length > 0 && (readSimple(start)?.length ?? 0) === 1
    ? null
    : 'Name the first words of one command, such as "git status", without anything that only a shell reads.';

const wordsOf = (start: string): string[] => start.split(' ').filter((word) => word !== '');

function beginsWith(command: readonly string[], words: readonly string[]): boolean {
  return (
    words.every((word, at) => command[at] === word) && !command.slice(words.length).some((word) => starting.test(word))
  );
}

/** Options by which programs that only read write a file, or start another program. */
const starting =
  /^--?(?:o|output|output-file|exec|execdir|ok|okdir|delete|fprint\w*|fls|to-command|checkpoint-action|use-compress-program|I|upload-pack|receive-pack|ext-diff|textconv|paginate|open-files-in-pager|pager|rsh|rsh-command|init-command|eval|editor|config|config-env|c|e|exec-path|git-dir|work-tree|C|prefix|script-shell|node-options|require|import|loader|init-file|rcfile|pre|hostname-bin|search-zip)(?:=.*)?$|^-[oO].+|^(?:GIT|LD|NODE|npm|PYTHON)_\w+=/s;

/** The simple commands as words, if every shell reads them alike; else null. */
function readSimple(line: string): string[][] | null {
  if (line.length > maxLength || /[\p{C}\u00a0\u2028\u2029]/u.test(line)) return null;
  const commands: string[][] = [[]];
  let word: string | null = null;
  const end = (): void => {
    if (word !== null) commands.at(-1)?.push(word);
    word = null;
  };
  for (let at = 0; at < line.length; at += 1) {
    const [character = '', next = ''] = [line[at], line[at + 1]];
    if (character === ' ') end();
    else if (character === "'" || character === '"') {
      const close = line.indexOf(character, at + 1);
      const text = line.slice(at + 1, close);
      if (close < 0 || (character === '"' && /[$`\\!]/.test(text))) return null;
      word = (word ?? '') + text;
      at = close;
    } else if (character === ';' || character === '|' || character === '&') {
      const isTwice = next === character;
      if ((character === '&' && !isTwice) || (character === ';' && isTwice) || (character === '|' && next === '&'))
        return null;
      end();
      if (commands.at(-1)?.length === 0) return null;
      commands.push([]);
      if (isTwice) at += 1;
    } else if (plain.test(character)) word = (word ?? '') + character;
    else return null;
  }
  end();
  const last = commands.at(-1);
  if (last?.length === 0 && commands.length > 1 && !/;\s*$/.test(line)) return null;
  return commands.filter((command) => command.length > 0);
}

/** Characters that no shell expands, quotes or splits at. */
const plain = /[\p{L}\p{N}_@%+=:,./-]/u;
