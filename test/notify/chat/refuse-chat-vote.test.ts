import { expect, test } from '@jest/globals';
import { maxShown, refuseChatVote, type AskedInChat } from '#notify/chat/verbs/show';
import { chatWords } from '#messages/chat-words';

const chat = { to: 'approvers', vote: true };
const terms = {
  chat,
  confirmation: [],
  freshSignIn: null,
  presence: { needed: 'none' as const, hasDefault: true },
  readingTime: null,
  justification: { requester: [], approver: [] },
};
const form = (field: object, required: string[] = []) => ({ type: 'object', properties: { field }, required });

const questionFor = (parts: { row?: object; terms?: object; schema?: unknown; length?: number }): AskedInChat => ({
  row: { risk: 'medium', mode: 'form', ...parts.row },
  terms: { ...terms, ...parts.terms },
  schema: (parts.schema ?? form({ type: 'boolean' })) as AskedInChat['schema'],
  length: parts.length ?? maxShown,
});

test.each([
  ['nothing that stands against it', {}],
  ['low risk', { row: { risk: 'low' } }],
  ['a form that asks for nothing', { schema: { type: 'object', properties: {} } }],
  ['a default for what the form needs', { schema: form({ type: 'string', default: 'EUR' }, ['field']) }],
])('P31 people vote in chat with %s', (_name, parts) => {
  expect(refuseChatVote(questionFor(parts))).toBeNull();
});

test.each([
  ['no chat', { terms: { chat: null } }, 'Vote in the console: the policy does not allow votes in chat.'],
  [
    'no votes there',
    { terms: { chat: { ...chat, vote: false } } },
    'Vote in the console: the policy does not allow votes in chat.',
  ],
  ['high risk', { row: { risk: 'high' } }, 'high risk'],
  ['a time to read', { terms: { readingTime: 5_000 } }, 'a time to read'],
  ['a fresh sign-in', { terms: { freshSignIn: 60_000 } }, 'a proof of who you are'],
  ['a passkey', { terms: { presence: { needed: 'passkey' } } }, 'a passkey'],
  ['a sign-in of late', { terms: { presence: { needed: 'fresh-sign-in' } } }, 'a recent sign-in'],
  ['a reason', { terms: { justification: { approver: [{ minLength: 1, like: null }] } } }, 'a reason'],
  ['a text to type', { terms: { confirmation: [{ text: 'yes' }] } }, 'a text to be typed'],
  ['an address', { row: { mode: 'url' } }, 'opens an address'],
  ['a form that must be filled in', { schema: form({ type: 'string' }, ['field']) }, 'fill in'],
  ['one character more than can be shown whole', { length: maxShown + 1 }, 'too long'],
])('P31 no one votes in chat with %s', (_name, parts, reason) => {
  const why = refuseChatVote(questionFor(parts));
  expect(why && chatWords.en.inConsole[why]).toContain(reason);
});
