import { Composer, CST, isScalar, Lexer, Parser, type Document, type LineCounter } from 'yaml';

/** Nodes that are open at the same time. */
const deepest = 64;
/** Indicators, tags and anchors one after another. */
const longestRun = 64;

/**
 * The documents of a text, or null if it nests too deep. Documents without content are left out.
 * The parser is driven token by token: it is recursive, and a stack that ends within it can end the process.
 */
export function readDocuments(text: string, lineCounter: LineCounter): Document.Parsed[] | null {
  const tokens = readTokens(text, lineCounter);
  if (!tokens) return null;
  const composer = new Composer({ lineCounter, prettyErrors: false, stringKeys: true, uniqueKeys: false });
  return [...composer.compose(tokens, false, text.length)].filter(hasContent);
}

function readTokens(text: string, { addNewLine }: LineCounter): CST.Token[] | null {
  const parser = new Parser(addNewLine);
  const tokens: CST.Token[] = [];
  let run = 0;
  addNewLine(0);
  for (const lexeme of new Lexer().lex(text)) {
    for (const token of parser.next(lexeme)) tokens.push(token);
    run = lengthOfRun(run, CST.tokenType(lexeme));
    if (parser.stack.length > deepest || run > longestRun) return null;
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
