import { describe, expect, test } from '@jest/globals';
import { ElicitRequestSchema, ElicitResultSchema } from '@modelcontextprotocol/sdk/types.js';
import {
  accept,
  cancel,
  checkResult,
  completeNotification,
  decline,
  formRequest,
  readRequest,
  urlRequest,
} from '#sdk/testing/assentry-testing';

const contact = {
  message: 'Please provide your contact information',
  properties: {
    name: { type: 'string', description: 'Your name' },
    email: { type: 'string', format: 'email' },
    age: { type: 'integer', default: 25 },
  },
  required: ['name', 'email'],
  title: 'Contact',
};
const address = { message: 'Connect your account.', url: 'https://example.com/connect?id=1', elicitationId: 'id-1' };

describe('a request', () => {
  test('of a form has the fields, the required ones and the title it was made of (P-08, P-10, P-11, P-12, P-13, P-14, P-15)', () => {
    const request = formRequest(contact);
    const { message, ...schema } = contact;
    expect(request).toEqual({ message, requestedSchema: { type: 'object', ...schema } });
    expect(ElicitRequestSchema.safeParse({ method: 'elicitation/create', params: request }).error).toBeUndefined();
  });

  test('of an address has its mode, address and id (P-20, P-21)', () => {
    const request = urlRequest(address);
    expect(request).toEqual({ mode: 'url', ...address });
    expect(ElicitRequestSchema.safeParse({ method: 'elicitation/create', params: request }).error).toBeUndefined();
  });

  test.each([
    ['a form without a schema (G-13)', { message: 'Who?' }, ['requestedSchema']],
    [
      'a form whose schema is no object (M-34)',
      { message: 'Who?', requestedSchema: { type: 'string' } },
      ['requestedSchema', 'type'],
    ],
    [
      'a form that asks for a secret',
      formWith({ password: { type: 'string' } }),
      ['requestedSchema', 'properties', 'password'],
    ],
    ['an address without its id (G-14)', { ...address, mode: 'url', elicitationId: undefined }, ['elicitationId']],
    ['an address without one (G-14)', { ...address, mode: 'url', url: '' }, ['url']],
    ['an address that is none', { ...address, mode: 'url', url: 'over there' }, ['url']],
    ['another mode', { message: 'Who?', mode: 'voice', requestedSchema: formWith({}).requestedSchema }, ['mode']],
    ['a request without a message', { ...formWith({ name: { type: 'string' } }), message: '' }, ['message']],
    ['nothing', undefined, ['message']],
  ])('is refused if it is %s (G-12)', (_, params, path) => {
    const problem = catchProblem(() => readRequest(params));
    expect(problem).toMatchObject({ code: 'INVALID_INPUT' });
    expect(problem.errors.map((error) => error.path)).toContainEqual(path);
  });
});

function formWith(properties: Record<string, object>) {
  return { message: 'Tell us.', requestedSchema: { type: 'object', properties } };
}

function catchProblem(act: () => unknown): { code: string; errors: { path: unknown; message: string }[] } {
  try {
    act();
  } catch (error) {
    return error as ReturnType<typeof catchProblem>;
  }
  throw new TypeError('Nothing was refused.');
}

describe('a result', () => {
  test.each([
    [
      'accept (P-22)',
      accept({ confirmed: true, value: 42 }),
      { action: 'accept', content: { confirmed: true, value: 42 } },
    ],
    ['accept of an address', accept(), { action: 'accept' }],
    ['decline', decline(), { action: 'decline' }],
    [
      'decline with its reason (P-23)',
      decline('Invalid input'),
      { action: 'decline', _meta: { reason: 'Invalid input' } },
    ],
    ['cancel (P-24)', cancel(), { action: 'cancel' }],
  ])('%s is what MCP clients send', (_, result, wire) => {
    expect(result).toEqual(wire);
    expect(ElicitResultSchema.safeParse(result).error).toBeUndefined();
  });

  test.each([
    ['what fits (M-33)', accept({ name: 'Ada', email: 'ada@example.com' }), undefined],
    ['a missing field', accept({ name: 'Ada' }), ['email']],
    ['a value of another type (M-32)', accept({ name: 'Ada', email: 'ada@example.com', age: 'thirty' }), ['age']],
    ['a strange field', accept({ name: 'Ada', email: 'ada@example.com', extra: true }), ['extra']],
    ['no content', accept(), []],
    ['content that is no object (G-29)', { action: 'accept', content: 'yes' }, []],
    ['another action (G-33)', { action: 'maybe' }, ['action']],
    ['a decline without content', decline('no'), undefined],
    ['a cancel without content', cancel(), undefined],
  ])('is checked against its form before it is sent: %s (M-26, G-56)', (_, result, path) => {
    const checked = checkResult(formRequest(contact), result);
    expect(checked.ok ? undefined : checked.errors.map((error) => error.path)).toEqual(path && [path]);
  });

  test('of an address needs no content (M-56)', () => {
    expect(checkResult(urlRequest(address), accept())).toEqual({ ok: true });
  });
});

test('a client is told by a notification what is done (G-49)', () => {
  const params = { elicitationId: 'id-1' };
  expect(completeNotification('id-1')).toEqual({ method: 'notifications/elicitation/complete', params });
});
