/** A word of a command line, without its quotes. */
export interface Word {
  text: string;
  /** A shell replaces it by the names of files. */
  isPattern: boolean;
  /** A shell puts the output of other commands into it. */
  isUnknown: boolean;
  /** A shell may make several words of it. */
  isSplit: boolean;
}

export interface Redirection {
  writes: boolean;
  target: Word;
}

export interface SimpleCommand {
  words: Word[];
  redirections: Redirection[];
}

const maxLength = 10_000;
const deepest = 3;

/**
 * The simple commands of a command line, also those in substitutions; null if any shell could read it differently. In contrast
 * to `readCommands`, which finds whatever a line may name, it reads only what is certain.
 */
export function readLine(line: string, depth = 0): SimpleCommand[] | null {
  if (line.length > maxLength || depth > deepest || /[^\P{C}\n\t]|[^\P{Z} ]/u.test(line)) return null;
  try {
    return new LineReader(line, depth).read();
  } catch (error) {
    if (error === unclear) return null;
    throw error;
  }
}

/** Thrown where shells may differ. */
const unclear = new Error('A shell may read more into this line.');

class LineReader {
  readonly #commands: SimpleCommand[] = [];
  readonly #line: string;
  readonly #depth: number;
  #at = 0;
  #command: SimpleCommand = { words: [], redirections: [] };
  #word: Word | null = null;
  /** The redirection whose target comes next. */
  #writes: boolean | null = null;
  /** Ends of the here-documents that begin with the next line. */
  #documents: string[] = [];

  constructor(line: string, depth: number) {
    this.#line = line;
    this.#depth = depth;
  }

  read(): SimpleCommand[] {
    while (this.#at < this.#line.length) this.#step();
    this.#endCommand();
    if (this.#documents.length > 0) throw unclear;
    return this.#commands;
  }

  #step(): void {
    const character = this.#line[this.#at] ?? '';
    const next = this.#line[this.#at + 1] ?? '';
    this.#at += 1;
    if (character === ' ' || character === '\t') return this.#endWord();
    if (character === '\n') return this.#endLine();
    if (character === "'") return this.#add(this.#until("'"));
    if (character === '"') return this.#readQuoted();
    if (character === '\\') return this.#escape(next);
    if (character === '$') return this.#readDollar(next);
    if (character === ';' || character === '|' || character === '&') return this.#separate(character, next);
    if (character === '<' || character === '>') return this.#redirect(character, next);
    if (character === '{' && next === '}' && this.#word === null) {
      this.#at += 1;
      return this.#add('{}');
    }
    if (/[*?[\]]/.test(character)) return this.#add(character, { isPattern: true });
    if (/[=^]/.test(character) && this.#word === null) throw unclear;
    if (!plain.test(character) || (character === '~' && this.#word === null && !/[\s/]/.test(next || ' ')))
      throw unclear;
    this.#add(character);
  }

  #add(text: string, { isPattern = false, isUnknown = false, isSplit = false } = {}): void {
    const word = this.#word ?? { text: '', isPattern: false, isUnknown: false, isSplit: false };
    this.#word = {
      text: word.text + text,
      isPattern: word.isPattern || isPattern,
      isUnknown: word.isUnknown || isUnknown,
      isSplit: word.isSplit || isSplit,
    };
  }

  #until(mark: string): string {
    const end = this.#line.indexOf(mark, this.#at);
    if (end < 0) throw unclear;
    const text = this.#line.slice(this.#at, end);
    this.#at = end + 1;
    return text;
  }

  #escape(next: string): void {
    if (next === '' || next === '\n') throw unclear;
    this.#at += 1;
    this.#add(next);
  }

  #readQuoted(): void {
    this.#add('');
    for (;;) {
      const character = this.#line[this.#at] ?? '';
      const next = this.#line[this.#at + 1] ?? '';
      if (character === '' || character === '`') throw unclear;
      this.#at += 1;
      if (character === '"') return;
      if (character === '$') this.#readDollar(next, true);
      else if (character === '\\' && /["$`\\]/.test(next)) this.#escape(next);
      else if (character === '\\' && next === '\n') throw unclear;
      else this.#add(character);
    }
  }

  #readDollar(next: string, isQuoted = false): void {
    if (next === '?') {
      this.#at += 1;
      return this.#add('0');
    }
    if (next === '(' && this.#line[this.#at + 1] !== '(') return this.#substitute(isQuoted);
    if (isQuoted && /^[\s"/|).]?$/.test(next)) return this.#add('$');
    throw unclear;
  }

  /** Ends at the first `)` with which the text before it can be read. */
  #substitute(isQuoted: boolean): void {
    const start = this.#at + 1;
    for (let end = this.#line.indexOf(')', start); end >= 0; end = this.#line.indexOf(')', end + 1)) {
      const inner = readLine(this.#line.slice(start, end), this.#depth + 1);
      if (inner === null) continue;
      this.#commands.push(...inner);
      this.#at = end + 1;
      return this.#add('', { isUnknown: true, isSplit: !isQuoted });
    }
    throw unclear;
  }

  #separate(character: string, next: string): void {
    if (character === '&' && next === '>') {
      this.#at += 1;
      return this.#redirect('>', this.#line[this.#at] ?? '');
    }
    const isTwice = next === character;
    if ((character === '&') !== isTwice && character === '&') throw unclear;
    if ((character === ';' && isTwice) || (character === '|' && next === '&')) throw unclear;
    if (isTwice) this.#at += 1;
    this.#endWord();
    if (this.#command.words.length === 0) throw unclear;
    this.#endCommand();
  }

  #redirect(character: string, next: string): void {
    if (this.#word !== null && /^\d$/.test(this.#word.text) && /\d/.test(this.#line[this.#at - 2] ?? ''))
      this.#word = null;
    this.#endWord();
    if (next === '(' || (character === '<' && (next === '>' || next === '&'))) throw unclear;
    const rest = this.#line.slice(this.#at);
    if (character === '<' && next === '<') return this.#readDocument(rest);
    const [duplicate] = /^&\d(?=[\s;|)]|$)/.exec(rest) ?? [];
    if (duplicate !== undefined) return void (this.#at += duplicate.length);
    if (next === '&') throw unclear;
    if (next === '>' || next === '|') this.#at += 1;
    if (this.#writes !== null) throw unclear;
    this.#writes = character === '>';
  }

  /** Only a document with a quoted end is text to every shell. */
  #readDocument(rest: string): void {
    const [whole, quote, end = ''] = /^<\s*(['"])(\w+)\1(?=[\s;|&)])/.exec(rest) ?? [];
    if (whole === undefined || quote === undefined) throw unclear;
    this.#at += whole.length;
    this.#documents.push(end);
  }

  #endLine(): void {
    this.#endCommand();
    for (const end of this.#documents) {
      const rest = this.#line.slice(this.#at);
      const match = new RegExp(`^${end}(?:\\n|$)`, 'm').exec(rest);
      if (!match) throw unclear;
      this.#at += match.index + match[0].length;
    }
    this.#documents = [];
  }

  #endWord(): void {
    if (this.#word === null) return;
    if (this.#writes === null) this.#command.words.push(this.#word);
    else this.#command.redirections.push({ writes: this.#writes, target: this.#word });
    this.#word = null;
    this.#writes = null;
  }

  #endCommand(): void {
    this.#endWord();
    if (this.#writes !== null || (this.#command.words.length === 0 && this.#command.redirections.length > 0))
      throw unclear;
    if (this.#command.words.length > 0) this.#commands.push(this.#command);
    this.#command = { words: [], redirections: [] };
  }
}

/** Characters that no shell expands, quotes or splits at. */
const plain = /[\p{L}\p{N}_@%+=:,./~^-]/u;
