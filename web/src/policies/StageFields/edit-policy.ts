import { isCollection, isMap, isScalar, isSeq, parseDocument, visit, type Document, type YAMLMap } from 'yaml';
import { outcomes } from '../policy-parts.ts';
import type { PlacePath } from '../schema-choices/yaml-place.ts';

/** One change to a policy's text: a value for a place, where undefined takes away what stands there, or a change of order. */
export type Edit = [path: PlacePath, value: unknown] | ((document: Document) => void);

/** Applies the edits in order; comments and everything else in the text stay as they are. */
export function editPolicy(text: string, edits: Edit[]): string {
  const document = parseDocument(text);
  for (const edit of edits) {
    if (typeof edit === 'function') edit(document);
    else if (edit[1] === undefined) remove(document, edit[0]);
    else set(document, ...edit);
  }
  return document.toString({ lineWidth: 0 });
}

function set(document: Document, path: PlacePath, value: unknown): void {
  const holder = path.slice(0, -1);
  // A half-written value stood in the place of a mapping or a list.
  if (!isCollection(document.getIn(holder))) set(document, holder, typeof path.at(-1) === 'number' ? [] : {});
  const isNew = !document.hasIn(path);
  document.setIn(path, typeof value === 'object' && value !== null ? collectionOf(document, value) : value);
  const changed = document.getIn(holder);
  if (isNew && holdsOutcome(holder) && isMap(changed)) moveToItsPlace(changed);
}

/** The policy itself, or an entry of its list of rules. */
const holdsOutcome = (path: PlacePath): boolean => path.length === 0 || (path.length === 2 && path[0] === 'rules');

/** Short values stand in one line, as one writes them by hand. */
function collectionOf(document: Document, value: object): unknown {
  const node = document.createNode(value);
  visit(node, {
    Collection: (_, collection) => {
      collection.flow = fitsOneLine(collection.toJS(document));
    },
  });
  return node;
}

/** Characters. */
const maxLineLength = 60;

/** Stages and groups, which have names, are read in lines of their own. */
function fitsOneLine(value: unknown): boolean {
  const members = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  const isPlain = members.every(([name, member]) => name !== 'name' && !Array.isArray(member) && !isNamed(member));
  return members.length > 0 && isPlain && JSON.stringify(value).length <= maxLineLength;
}

const isNamed = (value: unknown): boolean => typeof value === 'object' && value !== null && 'name' in value;

/** The order in which a policy is read. */
const order = [
  'policy',
  'description',
  'priority',
  'match',
  'when',
  'keep',
  'rules',
  'require',
  'confirm',
  'allow',
  'deny',
  'retire',
];

function moveToItsPlace(holder: YAMLMap): void {
  const added = holder.items.pop();
  if (added === undefined) return;
  const rankOf = ({ key }: { key: unknown }) => order.indexOf(isScalar(key) ? `${key.value}` : `${key}`);
  const at = holder.items.findIndex((pair) => rankOf(pair) > rankOf(added));
  holder.items.splice(at === -1 ? holder.items.length : at, 0, added);
}

/** With the mapping that held it, if that is empty then; but not a rule or its outcome, which may be empty. */
function remove(document: Document, path: PlacePath): void {
  if (document.hasIn(path)) document.deleteIn(path);
  const holder = path.slice(0, -1);
  const rest = document.getIn(holder);
  const isRule =
    holdsOutcome(holder) || (holdsOutcome(holder.slice(0, -1)) && outcomes.some((name) => name === holder.at(-1)));
  if (!isRule && (isMap(rest) || isSeq(rest)) && rest.items.length === 0) remove(document, holder);
}
