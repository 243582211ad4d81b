import { limits } from './limits.ts';

/** What to do about a keyword that JSON Schema knows and MCP forms do not; any other unknown one is simply refused. */
export function forbiddenSentence(keyword: string): string {
  return sentences.get(keyword) ?? `${quoted(keyword)} is not a keyword of MCP forms. Remove it.`;
}

/** Keywords come from outside: a long one is cut so that the message stays a sentence. */
export const quoted = (keyword: string): string =>
  JSON.stringify(keyword.length > limits.nameLength ? `${keyword.slice(0, limits.nameLength)}…` : keyword);

const flat = 'Forms are flat: put nested fields into the form itself.';
const noCombining = 'Schemas cannot be combined in a form. Describe each field directly.';
const noConditions = 'Fields cannot depend on one another. Ask again in a second form instead.';
const noReferences = 'References are not followed. Write the field out where it is used.';
const noTuples = 'Lists hold choices only. Use items with enum or anyOf.';
const noExclusive = (inclusive: string): string =>
  `Clients drop exclusive bounds. Use ${inclusive} with the last allowed value.`;
const notShown = 'Clients do not show or check this. Remove it.';
const fixedObject = 'The fields of a form are fixed by properties. Remove it.';

const sentences = new Map<string, string>([
  [
    'pattern',
    'Clients drop patterns, so people would fail a rule they never saw. Use format, minLength and maxLength.',
  ],
  ['exclusiveMinimum', noExclusive('minimum')],
  ['exclusiveMaximum', noExclusive('maximum')],
  ['multipleOf', 'Clients drop multipleOf. Use type "integer", or say the step in the description.'],
  ['const', 'A fixed value is not a question. Use enum with one option, or leave the field out.'],
  ['enum', 'Only type "string" can have an enum.'],
  ['enumNames', 'enumNames only goes with an enum.'],
  ['$ref', noReferences],
  ['$dynamicRef', noReferences],
  ['$defs', noReferences],
  ['definitions', noReferences],
  ['$schema', '$schema may stand at the root only, as a string.'],
  ['properties', flat],
  ['required', 'Required fields are named in a list at the root of the form.'],
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
  ['items', 'Only type "array" has items.'],
  ['prefixItems', noTuples],
  ['additionalItems', noTuples],
  ['unevaluatedItems', noTuples],
  ['contains', noTuples],
  ['uniqueItems', 'Each option can be chosen once only, always. Remove it.'],
  ['nullable', 'A field that may stay empty is one that is not required. Remove it.'],
  ['contentEncoding', notShown],
  ['contentMediaType', notShown],
  ['readOnly', notShown],
  ['writeOnly', 'Clients drop writeOnly. If the answer is secret, use URL mode.'],
  ['deprecated', notShown],
  ['examples', 'Clients do not show examples. Put one into the description.'],
  ['$comment', notShown],
]);
