import { TYPE } from '@formatjs/icu-messageformat-parser';

/** The formats of lists that a message is given, by their types: "a, b and c" and "a, b or c". */
export const listFormat = (type) => (/^list\b/.test(type) ? 'all' : /^choice\b/.test(type) ? 'any' : undefined);

const formats = new Set(['all', 'any', 'count', 'duration', 'noun', 'number', 'percent']);

/**
 * The parameters of an English message. Without a note they come in the order in which the message names them, and their
 * types follow from their use; `name, votes: number, people?: list` gives order and types, and `{ name, votes }` takes one
 * object. A name with a question mark may be left out by a language.
 */
export function readSignature(note, parts, fault) {
  const uses = usesIn(parts);
  const [, isObject, text] = /^(\{)?\s*(.*?)\s*\}?$/s.exec(note ?? [...uses.keys()].join(', '));
  const parameters = splitParameters(text).map((parameter) => {
    const [, name, mark, type] =
      /^(\w+)(\?)?(?::\s*(.*))?$/s.exec(parameter) ?? fault(`no parameter: ${parameter}`) ?? [];
    return { name, isOptional: mark === '?', type: type ?? typeOf(uses.get(name) ?? []) };
  });
  for (const { name, isOptional } of parameters)
    if (formats.has(name)) fault(`{${name}} is the name of a format`);
    else if (!isOptional && !uses.has(name)) fault(`has no {${name}}, which its signature names`);
  for (const name of uses.keys())
    if (!parameters.some((parameter) => parameter.name === name)) fault(`its signature has no {${name}}`);
  return { isObject: isObject !== undefined, parameters };
}

/** By commas outside of brackets. */
const splitParameters = (text) => (text === '' ? [] : text.split(/,\s*(?![^<({[]*[>)}\]])/));

/** Where messages use each parameter, in the order in which they first appear. */
export function usesIn(parts) {
  const uses = new Map();
  const visit = (nodes) => {
    for (const node of nodes) {
      if (node.type === TYPE.literal || node.type === TYPE.pound) continue;
      uses.set(node.value, [...(uses.get(node.value) ?? []), node]);
      for (const { value } of Object.values(node.options ?? {})) visit(value);
    }
  };
  for (const nodes of parts) visit(nodes);
  return uses;
}

/** Of several keys with an empty `other` a value is one; `true`, `false` and `null` are themselves. */
function typeOf(nodes) {
  const selects = nodes.filter(({ type }) => type === TYPE.select);
  const keys = [...new Set(selects.flatMap(({ options }) => Object.keys(options)))].filter((key) => key !== 'other');
  const types = new Set();
  if (keys.includes('true') || keys.includes('false')) types.add('boolean');
  const texts = keys.filter((key) => !['true', 'false', 'null'].includes(key));
  const isOpen = texts.length === 1 || selects.some(({ options: { other } }) => other.value.length > 0);
  if (nodes.some(({ type }) => type === TYPE.number || type === TYPE.plural)) types.add('number');
  else if (nodes.some(({ type }) => type === TYPE.argument) || (isOpen && texts.length > 0)) types.add('string');
  else for (const text of texts) types.add(`'${text}'`);
  if (keys.includes('null')) types.add('null');
  return [...types].join(' | ');
}
