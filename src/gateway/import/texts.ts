import { getStaticTOMLValue, parseTOML, type AST } from 'toml-eslint-parser';
import { isMap, isScalar, parseDocument, type Pair as YamlPair } from 'yaml';

/** A server in a text that is no JSON; without a value if its entry cannot be edited line by line. */
interface TextServer {
  name: string;
  value: Record<string, unknown> | undefined;
  pairs: readonly Pair[];
}

/** One member of an entry, and its place in the text. */
interface Pair {
  key: string;
  range: readonly [number, number];
}

/** New values of members; undefined removes one. */
export type Members = Readonly<Record<string, unknown>>;

/** A format whose texts keep comments and order because single lines change. */
interface TextFormat {
  /** The servers of a text; null if it cannot be read. */
  serversIn(text: string): TextServer[] | null;
  /** A member as one line. */
  line(key: string, value: unknown): string;
}

/** Content of a configuration; null if it is not TOML. */
export function readToml(text: string): unknown {
  const ast = parse(text);
  return ast && getStaticTOMLValue(ast);
}

function parse(text: string): AST.TOMLProgram | null {
  try {
    return parseTOML(text);
  } catch {
    return null;
  }
}

/** The servers in `[mcp_servers.NAME]` of Codex. */
const codex: TextFormat = {
  serversIn(text) {
    const ast = parse(text);
    if (!ast) return null;
    const { mcp_servers: servers = {} } = getStaticTOMLValue(ast) as { mcp_servers?: object };
    return Object.entries(servers).map(([name, value]: [string, Record<string, unknown>]) => {
      const table = tableOf(ast, name);
      return { name, value: table && value, pairs: table?.body.flatMap(tomlPair) ?? [] };
    });
  },
  line: (key, value) => `${key} = ${tomlText(value)}`,
};

const tomlPair = ({ key: { keys }, value, range }: AST.TOMLKeyValue): Pair[] => {
  const [first] = keys;
  const key = first?.type === 'TOMLBare' ? first.name : first?.value;
  return keys.length === 1 && key !== undefined ? [{ key, range: [range[0], value.range[1]] }] : [];
};

const tableOf = (ast: AST.TOMLProgram, name: string): AST.TOMLTable | undefined =>
  ast.body[0].body.find(
    (node): node is AST.TOMLTable =>
      node.type === 'TOMLTable' &&
      node.kind === 'standard' &&
      node.resolvedKey.length === 2 &&
      node.resolvedKey[0] === 'mcp_servers' &&
      node.resolvedKey[1] === name,
  );

/** Basic strings and lists of TOML are those of JSON with one more escaped character. */
const tomlText = (value: unknown): string =>
  Array.isArray(value)
    ? `[${value.map(tomlText).join(', ')}]`
    : JSON.stringify(value).replaceAll('\u007f', String.raw`\u007f`);

/** The extensions of Goose that are servers. */
const goose: TextFormat = {
  serversIn(text) {
    const document = parseDocument(text, { keepSourceTokens: false });
    if (document.errors.length > 0) return null;
    const extensions: unknown = document.get('extensions');
    if (!isMap(extensions)) return [];
    return extensions.items.flatMap(({ key, value }): TextServer[] => {
      if (!isScalar(key) || !isMap(value)) return [];
      const content = value.toJSON() as Record<string, unknown>;
      if (!['stdio', 'sse', 'streamable_http'].includes(String(content['type']))) return []; // Goose brings the others
      const name = String(key.value);
      const pairs = value.flow === true ? [] : value.items.flatMap((pair) => yamlPair(pair, text));
      return [{ name, value: pairs.length > 0 ? content : undefined, pairs }];
    });
  },
  line: (key, value) => `${key}: ${JSON.stringify(value)}`, // YAML reads JSON
};

function yamlPair({ key, value }: YamlPair, text: string): Pair[] {
  const [start] = (isScalar(key) && key.range) || [];
  const end = (value as { range?: readonly number[] } | null)?.range?.[1];
  if (!isScalar(key) || start === undefined || end === undefined) return [];
  return [{ key: String(key.value), range: [start, text.slice(0, end).trimEnd().length] }];
}

export const textFormats = { codex, goose };

/** The servers of Codex in a configuration; null if it is not TOML. */
export const tomlServersIn = codex.serversIn;

/** The text with these members of one entry changed; everything else stays. */
export function changeText(text: string, format: TextFormat, server: string, members: Members): string {
  const pairs = format.serversIn(text)?.find(({ name }) => name === server)?.pairs ?? [];
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const present = new Set(pairs.map(({ key }) => key));
  const added = Object.entries(members).filter(([key, value]) => value !== undefined && !present.has(key));
  const changed = pairs.filter(({ key }) => Object.hasOwn(members, key));
  const [anchor] = changed;
  let result = text;
  for (const pair of changed.toReversed()) {
    const [start, end] = pair.range;
    const indent = /[ \t]*$/.exec(text.slice(0, start))?.[0] ?? '';
    const more = pair === anchor ? added.map(([key, value]) => format.line(key, value)) : [];
    const own = members[pair.key] === undefined ? [] : [format.line(pair.key, members[pair.key])];
    const lines = [...own, ...more];
    result =
      lines.length > 0
        ? result.slice(0, start) + lines.join(eol + indent) + result.slice(end)
        : result.slice(0, start - indent.length) + result.slice(end).replace(/^[^\n]*\n?/, '');
  }
  return result;
}
