import { getStaticTOMLValue, parseTOML, type AST } from 'toml-eslint-parser';
import type { StdioEntry } from './entry.ts';

/** A server in the configuration of Codex; without a value if it is not written as a table of its own. */
interface TomlServer {
  name: string;
  value: unknown;
}

/** The servers in `[mcp_servers.NAME]` of a configuration; null if it is not TOML. */
export function tomlServersIn(text: string): TomlServer[] | null {
  const ast = parse(text);
  if (!ast) return null;
  const { mcp_servers: servers = {} } = getStaticTOMLValue(ast) as { mcp_servers?: object };
  return Object.entries(servers).map(([name, value]: [string, unknown]) => ({
    name,
    value: valueOf(tableOf(ast, name), 'command') ? value : undefined,
  }));
}

/** What a configuration says; null if it is not TOML. */
export function readToml(text: string): unknown {
  const ast = parse(text);
  return ast && getStaticTOMLValue(ast);
}

/** The text with another command in the table of this server; all else stays. */
export function setTomlServer(text: string, name: string, { command, args }: StdioEntry): string {
  const ast = parse(text);
  const table = ast && tableOf(ast, name);
  const [program, words] = [valueOf(table, 'command'), valueOf(table, 'args')];
  if (!program) return text;
  const list = `[${args.map(tomlText).join(', ')}]`;
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const edits = [
    { range: program.range, to: tomlText(command) + (words ? '' : `${eol}args = ${list}`) },
    ...(words ? [{ range: words.range, to: list }] : []),
  ];
  return edits
    .toSorted((left, right) => right.range[0] - left.range[0])
    .reduce((rest, { range: [start, end], to }) => rest.slice(0, start) + to + rest.slice(end), text);
}

/** A basic string of TOML is written as one of JSON, but for one more character that must be escaped. */
const tomlText = (word: string): string => JSON.stringify(word).replaceAll('\u007f', String.raw`\u007f`);

function parse(text: string): AST.TOMLProgram | null {
  try {
    return parseTOML(text);
  } catch {
    return null;
  }
}

const tableOf = (ast: AST.TOMLProgram, name: string): AST.TOMLTable | undefined =>
  ast.body[0].body.find(
    (node): node is AST.TOMLTable =>
      node.type === 'TOMLTable' &&
      node.kind === 'standard' &&
      node.resolvedKey.length === 2 &&
      node.resolvedKey[0] === 'mcp_servers' &&
      node.resolvedKey[1] === name,
  );

function valueOf(table: AST.TOMLTable | null | undefined, member: string): AST.TOMLContentNode | undefined {
  return table?.body.find(({ key: { keys } }) => keys.length === 1 && keyText(keys[0]) === member)?.value;
}

const keyText = (key: AST.TOMLBare | AST.TOMLQuoted | undefined): string | undefined =>
  key?.type === 'TOMLBare' ? key.name : key?.value;
