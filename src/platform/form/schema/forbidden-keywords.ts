import { limits } from './limits.ts';

/** What to do about a keyword that MCP forms do not have in this place, and why. */
export const forbiddenSentence = (keyword: string): string => (advice.get(keyword) ?? removeUnknown)(keyword);

/** Words the advice about one keyword: what to do with it, and why. */
export type Advice = (keyword: string) => string;

export const remove =
  (reason: string): Advice =>
  (keyword) =>
    `Remove ${quoted(keyword)}: ${reason}.`;

const replace =
  (replacement: string, reason: string): Advice =>
  (keyword) =>
    `Replace ${quoted(keyword)} with ${replacement}: ${reason}.`;

export const move =
  (place: string, reason: string): Advice =>
  (keyword) =>
    `Move ${quoted(keyword)} ${place}: ${reason}.`;

/** Keywords come from outside: a long one is cut to keep the message readable. */
const quoted = (keyword: string): string =>
  JSON.stringify(keyword.length > limits.nameLength ? `${keyword.slice(0, limits.nameLength)}…` : keyword);

const removeUnknown = remove('MCP forms do not have this keyword here');
const fixedObject = remove('"properties" lists all fields of a form');
const noCombining = remove('a form cannot combine schemas');
const noConditions = remove('fields cannot depend on each other. You can ask in a second form');
const noReferences = remove('references are not followed. Write the field out');
const noTuples = replace('"items"', 'lists can only hold choices');
const notShown = remove('clients do not show or check it');
const noExclusive = (inclusive: string): Advice =>
  replace(`${inclusive} and the last allowed value`, 'clients drop exclusive bounds');

const advice = new Map<string, Advice>([
  [
    'pattern',
    replace(
      '"format", "minLength" or "maxLength"',
      'clients drop patterns, so people would break a rule they cannot see',
    ),
  ],
  ['exclusiveMinimum', noExclusive('"minimum"')],
  ['exclusiveMaximum', noExclusive('"maximum"')],
  ['multipleOf', replace('"type": "integer", or with the step in "description"', 'clients drop it')],
  ['const', replace('"enum" with one option', 'a form has no fixed values')],
  ['$ref', noReferences],
  ['$dynamicRef', noReferences],
  ['$defs', noReferences],
  ['definitions', noReferences],
  ['$schema', remove('only the root of a form has it, as a string')],
  ['properties', move('to the root of the form', 'forms are flat')],
  ['required', move('to the root of the form', 'it is a list of field names')],
  ['additionalProperties', fixedObject],
  ['patternProperties', fixedObject],
  ['unevaluatedProperties', fixedObject],
  ['propertyNames', fixedObject],
  ['minProperties', fixedObject],
  ['maxProperties', fixedObject],
  ['allOf', noCombining],
  ['anyOf', noCombining],
  ['oneOf', noCombining],
  ['not', noCombining],
  ['if', noConditions],
  ['then', noConditions],
  ['else', noConditions],
  ['dependencies', noConditions],
  ['dependentRequired', noConditions],
  ['dependentSchemas', noConditions],
  ['prefixItems', noTuples],
  ['additionalItems', noTuples],
  ['unevaluatedItems', noTuples],
  ['contains', noTuples],
  ['uniqueItems', remove('each option can only be chosen once anyway')],
  ['nullable', remove('a field may stay empty if "required" does not name it')],
  ['contentEncoding', notShown],
  ['contentMediaType', notShown],
  ['readOnly', notShown],
  ['writeOnly', remove('clients drop it. Ask for secrets in URL mode')],
  ['deprecated', notShown],
  ['examples', move('into "description"', 'clients do not show examples')],
  ['$comment', notShown],
]);
