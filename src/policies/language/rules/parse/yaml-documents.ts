import { Composer, CST, isScalar, Lexer, Parser, type Document, type LineCounter } from 'yaml';

/** Nodes that are open at the same time. */
const deepest = 64;
/** Indicators, tags and anchors one after another. */
const maxRun = 64;

/** How much of a text is read: reading holds up everyone else. */
export interface ReadingLimits {
  /** Names, values and marks of YAML. */
  maxTokens: number;
  maxDocuments: number;
}

type ReadDocuments = { ok: true; documents: Document.Parsed[] } | { ok: false; excess: 'depth' | 'tokens' };

/**
 * The documents of a text, and one more than allowed if there are more. Documents without content are left out.
 * The parser is driven token by token: it is recursive, and a stack that ends within it can end the process.
 */
export function readDocuments(text: string, lineCounter: LineCounter, limits: ReadingLimits): ReadDocuments {
  const tokens = readTokens(text, lineCounter, limits.maxTokens);
  if (typeof tokens === 'string') return { ok: false, excess: tokens };
  const composer = new Composer({ lineCounter, prettyErrors: false, stringKeys: true, uniqueKeys: false });
  const documents: Document.Parsed[] = [];
  for (const document of composer.compose(tokens, false, text.length)) {
    if (hasContent(document)) documents.push(document);
    if (documents.length > limits.maxDocuments) break;
  }
  return { ok: true, documents };
}

function readTokens(text: string, { addNewLine }: LineCounter, maxTokens: number): CST.Token[] | 'depth' | 'tokens' {
  const parser = new Parser(addNewLine);
  const tokens: CST.Token[] = [];
  let run = 0;
  let count = 0;
  addNewLine(0);
  for (const lexeme of new Lexer().lex(text)) {
    count += 1;
    if (count > maxTokens) return 'tokens';
    for (const token of parser.next(lexeme)) tokens.push(token);
    run = lengthOfRun(run, CST.tokenType(lexeme));
    if (parser.stack.length > deepest || run > maxRun) return 'depth';
  }
  return [...tokens, ...parser.end()];
}

function lengthOfRun(run: number, type: CST.TokenType | null): number {
  switch (type) {
    case 'seq-item-ind':
    case 'explicit-key-ind':
    case 'map-value-ind':
    case 'anchor':
    case 'tag':
      return run + 1;
    case 'space':
      return run;
    default:
      return 0;
  }
}

const hasContent = ({ contents, errors }: Document.Parsed): boolean =>
  errors.length > 0 || !isScalar(contents) || contents.value !== null;
