import { describe, expect, test } from '@jest/globals';
import { namesAt, valuesAt, type Schema } from '../../../web/src/policies/schema-choices.ts';

const schema: Schema = {
  type: 'object',
  required: ['policy'],
  properties: {
    description: { type: 'string', description: 'What it is for.' },
    policy: { type: 'string', description: 'Its name.' },
    match: { type: 'object', properties: { mode: { enum: ['form', 'url'], description: 'How it asks.' } } },
    require: { anyOf: [{ $ref: '#/$defs/rule' }, { type: 'null' }] },
    strict: { type: 'boolean' },
  },
  $defs: {
    rule: { type: 'object', properties: { stages: { type: 'array', items: { $ref: '#/$defs/stage' } } } },
    stage: {
      type: 'object',
      required: ['name'],
      properties: {
        name: { type: 'string' },
        approvers: {
          anyOf: [
            { const: 'anyone' },
            { $ref: '#/$defs/source' },
            { type: 'array', items: { $ref: '#/$defs/source' } },
          ],
        },
        within: { $ref: '#/$defs/stage' },
      },
    },
    source: { type: 'object', properties: { group: { type: 'string' }, role: { enum: ['admin'] } } },
  },
};
const names = (path: (string | number)[], present?: string[]) => namesAt(schema, path, present).map(({ text }) => text);
const values = (path: (string | number)[]) => valuesAt(schema, path).map(({ text }) => text);

describe('what a schema allows at a place', () => {
  test('names come with their description, needed ones first, present ones not again', () => {
    expect(names([])).toEqual(['policy', 'description', 'match', 'require', 'strict']);
    expect(names([], ['policy', 'match'])).toEqual(['description', 'require', 'strict']);
    expect(namesAt(schema, [])[0]).toEqual({
      text: 'policy',
      description: 'Its name.',
      opens: 'value',
      isRequired: true,
    });
  });

  test('a name says what follows it', () => {
    const opens = Object.fromEntries(namesAt(schema, []).map(({ text, opens: kind }) => [text, kind]));
    expect(opens).toMatchObject({ match: 'mapping', require: 'mapping', strict: 'value' });
    expect(namesAt(schema, ['require'])[0]).toMatchObject({ text: 'stages', opens: 'list' });
  });

  test.each([
    ['references, choices and lists are followed', ['require', 'stages', 3], ['name', 'approvers', 'within']],
    ['all forms of a value count', ['require', 'stages', 0, 'approvers'], ['group', 'role']],
    ['items too', ['require', 'stages', 0, 'approvers', 1], ['group', 'role']],
    [
      'a schema that holds itself has an end',
      ['require', 'stages', 0, 'within', 'within'],
      ['name', 'approvers', 'within'],
    ],
    ['an unknown place has none', ['nowhere', 'else'], []],
    ['names of every object are none', ['constructor'], []],
  ])('%s', (_, path, expected) => {
    expect(names(path)).toEqual(expected);
  });

  test.each([
    [
      ['match', 'mode'],
      ['form', 'url'],
    ],
    [['strict'], ['true', 'false']],
    [['require', 'stages', 0, 'approvers'], ['anyone']],
    [['policy'], []],
  ])('the words at %j are %j', (path, expected) => {
    expect(values(path)).toEqual(expected);
  });
});
