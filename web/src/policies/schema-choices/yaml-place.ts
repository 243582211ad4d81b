import { isAlias, isMap, isPair, isScalar, isSeq, parseDocument, visit, type Node, type Pair } from 'yaml';

export type PlacePath = (string | number)[];

/** Where in a YAML document something is being typed, and what can stand there. */
export interface YamlPlace {
  /** Leads from the root to the collection or value that is typed. */
  path: PlacePath;
  /** A name within the mapping at `path`, or a value for `path` itself. */
  wants: 'key' | 'value';
  /** The names that the mapping has already. */
  present: string[];
  /** True if a mapping may begin here, on a line of its own. */
  opensBlock: boolean;
}

/** What is typed stands at `from`..`to`; null if it is inside a comment or a longer text. */
export function placeAt(text: string, from: number, to: number): YamlPlace | null {
  const line = text.slice(text.lastIndexOf('\n', from - 1) + 1, from);
  if (/(^|\s)#/.test(line)) return null;
  const opensBlock = /^[\s-]*$/.test(line);
  const typed = (as: string) => findCursor(text.slice(0, from) + as + text.slice(to), opensBlock);
  // Above other names of its mapping a bare text would swallow them; as a name it stands next to them.
  return typed(cursor) ?? (opensBlock ? typed(`${cursor}:`) : null);
}

function findCursor(text: string, opensBlock: boolean): YamlPlace | null {
  let place: YamlPlace | null = null;
  visit(parseDocument(text), {
    Scalar(key, node, ancestors) {
      if (node.value !== cursor) return undefined;
      place = describe(key, ancestors as (Node | Pair)[], opensBlock);
      return visit.BREAK;
    },
  });
  return place;
}

// Letters only, so that it parses as a plain text wherever one can stand.
const cursor = 'xCURSORx';

function describe(key: unknown, ancestors: (Node | Pair)[], opensBlock: boolean): YamlPlace {
  const parent = ancestors.at(-1);
  if (key === 'key' && isPair(parent)) {
    const map = ancestors.at(-2);
    return {
      path: pathOf(ancestors.slice(0, -1)),
      wants: 'key',
      present: isMap(map) ? namesIn(map.items) : [],
      opensBlock,
    };
  }
  const at = typeof key === 'number' ? [key] : [];
  return { path: [...pathOf(ancestors), ...at], wants: 'value', present: [], opensBlock };
}

function pathOf(ancestors: (Node | Pair)[]): PlacePath {
  return ancestors.flatMap((node, at): PlacePath => {
    const next = ancestors[at + 1];
    if (isPair(node)) return [nameOf(node.key)];
    if (isSeq(node) && next !== undefined) return [node.items.indexOf(next)];
    return [];
  });
}

const namesIn = (pairs: Pair[]): string[] => pairs.map(({ key }) => nameOf(key)).filter((name) => name !== cursor);

const nameOf = (key: unknown): string => (isScalar(key) ? `${key.value}` : isAlias(key) ? key.source : `${key}`);
