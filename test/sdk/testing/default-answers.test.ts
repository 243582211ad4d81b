import { describe, expect, test } from '@jest/globals';
import { Client as SecondClient } from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import {
  accept,
  answerWithDefaults,
  decline,
  formRequest,
  urlRequest,
  type ElicitationRequest,
} from '#sdk/testing/assentry-testing';

const contact = formRequest({
  message: 'Please provide your contact information',
  properties: {
    name: { type: 'string', description: 'Your name' },
    email: { type: 'string', format: 'email' },
    age: { type: 'integer', default: 25 },
  },
  required: ['name', 'email'],
});
const address = urlRequest({ message: 'Connect.', url: 'https://example.com/connect', elicitationId: 'id-1' });
const full = { name: 'John', email: 'john@example.com' };

describe('without a person', () => {
  test.each([
    ['its defaults fill in what the given ones leave (P-09, P-42, P-44)', full, { ...full, age: 25 }],
    ['the given ones go first', { ...full, age: 41 }, { ...full, age: 41 }],
    ['given ones for other forms are left out', { ...full, confirm: true }, { ...full, age: 25 }],
  ])('a form is accepted: %s', async (_, defaults, content) => {
    expect(await answerWithDefaults({ defaults })(contact)).toEqual(accept(content));
  });

  test.each([
    [
      'a required field has no default',
      { name: 'John' },
      'No one is there to fill in the form. email: This field is required.',
    ],
    [
      'a default does not fit',
      { ...full, email: 'nowhere' },
      'No one is there to fill in the form. email: Must be an email address, such as name@example.com.',
    ],
  ])('a form is declined, with a warning: %s (P-18, M-70)', async (_, defaults, reason) => {
    const warnings: string[] = [];
    const answer = answerWithDefaults({ defaults, warn: (warning) => void warnings.push(warning) });
    expect(await answer(contact)).toEqual(decline(reason));
    expect(warnings).toEqual([`Declined: ${reason}`]);
  });

  test('an address is declined: no one can go there (P-43)', async () => {
    const warnings: string[] = [];
    const answer = answerWithDefaults({ defaults: full, warn: (warning) => void warnings.push(warning) });
    expect(await answer(address)).toEqual(decline('No one is there to go to an address.'));
    expect(warnings).toEqual(['Declined: No one is there to go to an address.']);
  });

  test('code of one’s own may answer first, or leave it to the defaults (P-25, P-26, P-27, P-28, P-29)', async () => {
    const own = async (request: ElicitationRequest) => {
      if (request.mode === 'url') return decline('URL mode is not supported');
      return request.message.startsWith('Approve') ? accept({ auto: true }) : undefined;
    };
    const answer = answerWithDefaults({ defaults: full, answer: own });
    const approve = formRequest({ message: 'Approve?', properties: { auto: { type: 'boolean' } } });
    expect(await answer(approve)).toEqual(accept({ auto: true }));
    expect(await answer(address)).toEqual(decline('URL mode is not supported'));
    expect(await answer(contact)).toEqual(accept({ ...full, age: 25 }));
  });

  test('serves MCP clients of both SDKs as their handler (M-70)', async () => {
    const answer = answerWithDefaults({ warn: () => {} });
    const client = new Client({ name: 'ci', version: '1.0.0' }, { capabilities: { elicitation: {} } });
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => answer(params));
    const second = new SecondClient({ name: 'ci', version: '1.0.0' }, { capabilities: { elicitation: {} } });
    second.setRequestHandler('elicitation/create', ({ params }) => answer(params)); // the types are what is proven here
    const server = new Server({ name: 'asks', version: '1.0.0' });
    const [own, other] = InMemoryTransport.createLinkedPair();
    await Promise.all([server.connect(own), client.connect(other)]);
    const ask = (sure: object) =>
      server.elicitInput({
        message: 'Sure?',
        requestedSchema: { type: 'object', properties: { sure: { type: 'boolean', ...sure } }, required: ['sure'] },
      });
    expect(await ask({})).toMatchObject({ action: 'decline' });
    expect(await ask({ default: true })).toMatchObject(accept({ sure: true }));
    await client.close();
  });
});
