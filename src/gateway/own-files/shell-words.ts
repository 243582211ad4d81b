/** Stands for a text that only a shell would know, such as the value of an unknown variable: any text, slashes included. */
export const anything = '\uE000';

/** The words of one simple command, as a shell would read them; unknown ones are `anything`. */
export type Command = string[];

export type Variables = Readonly<Record<string, string | undefined>>;

/** Depth limit of nested command lines: `sh -c "sh -c …"`, and substitutions. */
const deepest = 4;
/** Limit in characters of nested command lines: braces would multiply them at each depth. */
const maxNested = 200_000;

/**
 * The simple commands of a command line: quotes removed, split words joined, variables and braces expanded. Code in other
 * languages is read as far as its texts are quoted alike.
 */
export function readCommands(
  text: string,
  variables: Variables,
  { depth, budget } = { depth: 0, budget: { left: maxNested } },
): Command[] {
  const reader = new ShellReader(text, { ...variables });
  const commands = reader.read();
  if (depth >= deepest) return commands;
  const words = commands.flat().filter((word) => word !== text && isCommandLine(word));
  const readInner = (line: string): Command[] => {
    budget.left -= line.length;
    return budget.left < 0 ? [] : readCommands(line, reader.variables, { depth: depth + 1, budget });
  };
  return [...commands, ...[...new Set([...reader.substituted, ...words])].flatMap(readInner)];
}

/** Does a shell read more than one plain word in it? */
export const isCommandLine = (text: string): boolean => /[\s'"`$\\(){}<>;|&,=]/.test(text);

class ShellReader {
  /** Command lines whose output would become part of a word. */
  readonly substituted: string[] = [];
  readonly variables: Record<string, string | undefined>;
  readonly #text: string;
  readonly #commands: Command[] = [];
  #at = 0;
  #command: Command = [];
  #word: string | null = null;

  constructor(text: string, variables: Record<string, string | undefined>) {
    this.#text = text;
    this.variables = variables;
  }

  read(): Command[] {
    while (this.#at < this.#text.length) this.#step();
    this.#endCommand();
    return this.#commands;
  }

  #step(): void {
    const character = this.#text[this.#at] ?? '';
    if (character === '\\') return this.#escape();
    if (character === "'") return this.#add(this.#until("'"));
    if (character === '"') return this.#readQuoted();
    if (character === '$') return this.#readDollar();
    if (character === '`') return this.#substitute(this.#until('`'));
    this.#at += 1;
    if (/[;|&()\n\r]/.test(character)) return this.#endCommand();
    if (/[\s<>]/.test(character)) return this.#endWord();
    this.#add(character);
  }

  #add(part: string): void {
    this.#word = (this.#word ?? '') + part;
  }

  #escape(): void {
    const next = this.#text[this.#at + 1] ?? '';
    this.#at += 2;
    if (next !== '\n') this.#add(next);
  }

  /** Text up to the next such mark; continues behind it. */
  #until(mark: string): string {
    const end = this.#text.indexOf(mark, this.#at + 1);
    const inner = this.#text.slice(this.#at + 1, end < 0 ? undefined : end);
    this.#at = end < 0 ? this.#text.length : end + 1;
    return inner;
  }

  #readQuoted(): void {
    this.#at += 1;
    this.#add('');
    while (this.#at < this.#text.length) {
      const character = this.#text[this.#at] ?? '';
      if (character === '"') return void (this.#at += 1);
      if (character === '$') this.#readDollar();
      else if (character === '`') this.#substitute(this.#until('`'));
      else if (character === '\\') this.#escape();
      else {
        this.#add(character);
        this.#at += 1;
      }
    }
  }

  #readDollar(): void {
    const rest = this.#text.slice(this.#at, this.#at + 4_096);
    if (rest.startsWith("$'")) {
      this.#at += 1;
      return this.#add(unescaped(this.#until("'")));
    }
    if (rest.startsWith('$(')) return this.#substitute(this.#untilClosed());
    const [whole, braced, plain] = /^\$(?:\{(?:env:)?[!#]?(\w+)[^}]*\}|(?:env:)?(\w+|[@*?#$!-]))/i.exec(rest) ?? ['$'];
    this.#at += whole.length;
    const name = braced ?? plain;
    this.#add(name === undefined ? '$' : (this.variables[name] ?? anything));
  }

  /** Text in `$(…)`, with brackets inside it. */
  #untilClosed(): string {
    const start = this.#at + 2;
    let open = 1;
    for (this.#at = start; this.#at < this.#text.length && open > 0; this.#at += 1) {
      if (this.#text[this.#at] === '(') open += 1;
      if (this.#text[this.#at] === ')') open -= 1;
    }
    return this.#text.slice(start, open > 0 ? this.#at : this.#at - 1);
  }

  #substitute(line: string): void {
    this.substituted.push(line);
    this.#add(anything);
  }

  #endWord(): void {
    if (this.#word === null) return;
    const words = expandBraces(this.#word);
    for (const word of words) this.#assign(word);
    this.#command.push(...words);
    this.#word = null;
  }

  #assign(word: string): void {
    const [, name, value] = /^([A-Za-z_]\w*)=(.*)$/s.exec(word) ?? [];
    if (name !== undefined && value !== undefined) this.variables[name] = value;
  }

  #endCommand(): void {
    this.#endWord();
    if (this.#command.length > 0) this.#commands.push(this.#command);
    this.#command = [];
  }
}

/** Limit of words from braces. */
const maxWords = 64;

/** Expands braces: `a{b,c}d` is `abd` and `acd`. */
function expandBraces(word: string): string[] {
  let words = [word];
  while (words.length < maxWords) {
    const next = words.flatMap(expandFirst);
    if (next.length === words.length) return next;
    words = next;
  }
  return words.slice(0, maxWords);
}

function expandFirst(word: string): string[] {
  const [group, inner] = /\{([^{}]*,[^{}]*)\}/.exec(word) ?? [];
  return group === undefined ? [word] : (inner ?? '').split(',').map((part) => word.replace(group, () => part));
}

/** The text of `$'…'`. */
const unescaped = (text: string): string =>
  text.replaceAll(/\\(?:x([0-9a-f]{1,2})|u([0-9a-f]{1,4})|([0-7]{1,3})|(.))/gis, (_, hex, unicode, octal, other) => {
    const code = hex ?? unicode;
    if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
    return octal === undefined ? String(other) : String.fromCharCode(Number.parseInt(octal, 8));
  });
