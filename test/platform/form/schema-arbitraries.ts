import fc from 'fast-check';
import {
  optionsOf,
  type FieldSchema,
  type FieldValue,
  type FormContent,
  type FormSchema,
  type MultiSelectField,
  type StringFormat,
} from '#platform/form/schema';

/** A form that passes the lint, with an answer that satisfies it. */
export interface AnsweredForm {
  schema: FormSchema;
  content: FormContent;
}

interface AnsweredField {
  field: FieldSchema;
  value: FieldValue;
}

/** Forms of one to eight fields of every kind; about half the fields are required, and half have a default. */
export const answeredForm = (): fc.Arbitrary<AnsweredForm> =>
  fc
    .dictionary(fieldName, fc.record({ answered: answeredField, required: fc.boolean(), withDefault: fc.boolean() }), {
      minKeys: 1,
      maxKeys: 8,
    })
    .map((fields) => {
      const entries = Object.entries(fields);
      return {
        schema: {
          type: 'object',
          properties: Object.fromEntries(
            entries.map(([name, { answered, withDefault }]) => [
              name,
              withDefault ? defaulted(answered) : answered.field,
            ]),
          ),
          required: entries.filter(([, { required }]) => required).map(([name]) => name),
        },
        content: Object.fromEntries(entries.map(([name, { answered }]) => [name, answered.value])),
      };
    });

/** A value the field can never hold, whatever its rules. */
export const wrongValue = (field: FieldSchema): fc.Arbitrary<unknown> => {
  const strangers = fc.oneof(fc.constant(null), fc.dictionary(fc.string(), fc.string()));
  if (field.type === 'boolean') return fc.oneof(strangers, fc.string(), fc.integer(), fc.constant([]));
  if (field.type === 'array') return fc.oneof(strangers, fc.string(), fc.boolean(), fc.constant([['nested']]));
  if (field.type !== 'string') return fc.oneof(strangers, fc.string(), fc.boolean(), fc.constant(Number.NaN));
  const isChoice = optionsOf(field).length > 0;
  const stranger = isChoice
    ? [fc.string().filter((text) => !optionsOf(field).some(({ value }) => value === text))]
    : [];
  return fc.oneof(strangers, fc.integer(), fc.boolean(), fc.constant(['a']), ...stranger);
};

// A prefix keeps generated names clear of what no form may use.
const fieldName = fc.stringMatching(/^[a-z]{1,12}$/).map((tail) => `field_x${tail}`);
const label = fc.stringMatching(/^[A-Z][a-z]{0,20}$/).map((text) => `About ${text}x`);
const labels = fc.record({ title: label, description: fc.lorem() }, { requiredKeys: [] });

const characters = (text: string): number => [...text].length;
const text = fc.string({ unit: 'binary', maxLength: 30 }).filter((value) => !value.includes('\0'));

const textField: fc.Arbitrary<AnsweredField> = fc
  .record({ value: text, slack: fc.nat(5), bounded: fc.boolean(), labels })
  .map(({ value, slack, bounded, labels: own }) => {
    const count = characters(value);
    const bounds = bounded ? { minLength: Math.max(0, count - slack), maxLength: count + slack } : {};
    return { field: { ...own, type: 'string', ...bounds }, value };
  });

const moment = fc.date({
  min: new Date('0001-01-01T00:00:00Z'),
  max: new Date('9999-12-31T23:59:59Z'),
  noInvalidDate: true,
});
const formatted: Record<StringFormat, fc.Arbitrary<string>> = {
  email: fc.stringMatching(/^[a-z][a-z0-9+_]{0,20}@[a-z]{1,20}\.[a-z]{2,6}$/),
  uri: fc.webUrl({ withQueryParameters: true, withFragments: true }),
  date: moment.map((date) => date.toISOString().slice(0, 10)),
  'date-time': moment.map((date) => date.toISOString()),
};
const formatField: fc.Arbitrary<AnsweredField> = fc.oneof(
  ...(['email', 'uri', 'date', 'date-time'] as const).map((format) =>
    fc.tuple(formatted[format], labels).map(([value, own]): AnsweredField => ({
      field: { ...own, type: 'string', format },
      value,
    })),
  ),
);

const numberField: fc.Arbitrary<AnsweredField> = fc
  .record({
    type: fc.constant('number' as const),
    value: fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e100, max: 1e100 }).map((value) => value + 0),
    slack: fc.nat(1_000),
    bounded: fc.boolean(),
  })
  .map(({ type, value, slack, bounded }) => ({
    field: { type, ...(bounded ? { minimum: value - slack, maximum: value + slack } : {}) },
    value,
  }));

const integerField: fc.Arbitrary<AnsweredField> = fc
  .record({ value: fc.maxSafeInteger(), bounded: fc.boolean() })
  .map(({ value, bounded }) => ({
    field: { type: 'integer', ...(bounded ? { minimum: value, maximum: value } : {}) },
    value,
  }));

const booleanField: fc.Arbitrary<AnsweredField> = fc.boolean().map((value) => ({ field: { type: 'boolean' }, value }));

const values = fc.uniqueArray(fc.stringMatching(/^[a-z0-9]{1,10}$/), { minLength: 1, maxLength: 12 });
const titled = (all: string[]): { const: string; title: string }[] =>
  all.map((value) => ({ const: value, title: `Option ${value}` }));

const selectField: fc.Arbitrary<AnsweredField> = values.chain((all) =>
  fc
    .record({
      value: fc.constantFrom(...all),
      shape: fc.constantFrom<FieldSchema>(
        { type: 'string', enum: all },
        { type: 'string', oneOf: titled(all) },
        { type: 'string', enum: all, enumNames: all.map((value) => `Option ${value}`) },
      ),
    })
    .map(({ value, shape }) => ({ field: shape, value })),
);

const multiSelectField: fc.Arbitrary<AnsweredField> = values.chain((all) =>
  fc
    .record({
      value: fc.shuffledSubarray(all),
      bounded: fc.boolean(),
      shape: fc.constantFrom<MultiSelectField>(
        { type: 'array', items: { type: 'string', enum: all } },
        { type: 'array', items: { anyOf: titled(all) } },
      ),
    })
    .map(({ value, bounded, shape }) => ({
      field: { ...shape, ...(bounded ? { minItems: value.length, maxItems: value.length } : {}) },
      value,
    })),
);

const answeredField = fc.oneof(
  textField,
  formatField,
  numberField,
  integerField,
  booleanField,
  selectField,
  multiSelectField,
);

// The answer satisfies the field, so it may also be its default; the kinds of both agree by construction.
const defaulted = ({ field, value }: AnsweredField): FieldSchema => ({ ...field, default: value }) as FieldSchema;
