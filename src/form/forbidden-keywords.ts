import { limits } from './limits.ts';

/** What to do about a keyword that JSON Schema knows and MCP forms do not; any other unknown one is simply refused. */
export function forbiddenSentence(keyword: string): string {
  return sentences.get(keyword) ?? `Remove ${quoted(keyword)}: MCP forms do not have this keyword.`;
}

/** Keywords come from outside: a long one is cut to keep the message readable. */
export const quoted = (keyword: string): string =>
  JSON.stringify(keyword.length > limits.nameLength ? `${keyword.slice(0, limits.nameLength)}…` : keyword);

const flat = 'Put nested fields into the form itself: forms are flat.';
const noCombining = 'Describe each field directly: a form cannot combine schemas.';
const noConditions = 'Ask in a second form instead: fields cannot depend on each other.';
const noReferences = 'Write the field out here: references are not followed.';
const noTuples = 'Use items with enum or anyOf: lists can only hold choices.';
const noExclusive = (inclusive: string): string =>
  `Use ${inclusive} with the last allowed value: clients drop exclusive bounds.`;
const notShown = 'Remove this: clients do not show or check it.';
const fixedObject = 'Remove this: properties lists all fields of a form.';

const sentences = new Map<string, string>([
  [
    'pattern',
    'Use format, minLength and maxLength: clients drop patterns, so people would break a rule they cannot see.',
  ],
  ['exclusiveMinimum', noExclusive('minimum')],
  ['exclusiveMaximum', noExclusive('maximum')],
  ['multipleOf', 'Use type "integer", or give the step in the description: clients drop multipleOf.'],
  ['const', 'Use enum with one option, or leave the field out: a fixed value is not a question.'],
  ['enum', 'Use type "string": only it can have an enum.'],
  ['enumNames', 'Remove enumNames: it needs an enum.'],
  ['$ref', noReferences],
  ['$dynamicRef', noReferences],
  ['$defs', noReferences],
  ['definitions', noReferences],
  ['$schema', 'Give $schema only at the root, as a string.'],
  ['properties', flat],
  ['required', 'List required fields at the root of the form.'],
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
  ['items', 'Use type "array": only it has items.'],
  ['prefixItems', noTuples],
  ['additionalItems', noTuples],
  ['unevaluatedItems', noTuples],
  ['contains', noTuples],
  ['uniqueItems', 'Remove this: each option can only be chosen once anyway.'],
  ['nullable', 'Remove this: a field may stay empty if it is not required.'],
  ['contentEncoding', notShown],
  ['contentMediaType', notShown],
  ['readOnly', notShown],
  ['writeOnly', 'Use URL mode if the answer is secret: clients drop writeOnly.'],
  ['deprecated', notShown],
  ['examples', 'Put an example into the description: clients do not show examples.'],
  ['$comment', notShown],
]);
