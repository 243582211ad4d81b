import { z } from 'zod';
import type { AssentryTools, ElicitResult, JsonForm } from '../../src/sdk/mcp/assentry-v2.ts';
import { say } from './say.ts';

/** Tools that ask the person at the client; written once, and served to clients of every revision. */
export function registerElicitationTools(tools: AssentryTools): void {
  tools.registerTool(
    'test_elicitation',
    { description: 'Asks for a name and an address.', inputSchema: z.object({ message: z.string() }) },
    async ({ message }, { elicit }) => {
      const form = z.object({
        username: z.string().describe("User's response"),
        email: z.string().describe("User's email address"),
      });
      return say(`User response: ${describe(await elicit(message, form))}`);
    },
  );
  tools.registerTool(
    'link_account',
    { description: 'Links an account elsewhere. The person at the client is sent to a page.' },
    async ({ elicit }) => {
      const form = z.object({ iban: z.string().min(1).describe('Account to link') });
      const { status, content } = await elicit('Which account is to be linked?', form, { mode: 'url' });
      return say(status === 'accept' ? `${content.iban} is linked.` : `Nothing was linked (${status}).`);
    },
  );
  registerAsking(tools, 'test_elicitation_sep1034_defaults', 'Asks with a default of every kind.', defaults);
  registerAsking(tools, 'test_elicitation_sep1330_enums', 'Asks with choices of every kind.', choices);
  registerAsking(tools, 'test_streaming_elicitation', 'Asks for a name.', nameForm);
}

function registerAsking(tools: AssentryTools, name: string, description: string, form: JsonForm): void {
  tools.registerTool(name, { description }, async ({ elicit }) =>
    say(`Elicitation completed: ${describe(await elicit('Please fill in the form.', form))}`),
  );
}

const describe = ({ status, content }: ElicitResult<unknown>): string =>
  `action=${status}, content=${JSON.stringify(content ?? {})}`;

const nameForm: JsonForm = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };

const defaults: JsonForm = {
  type: 'object',
  properties: {
    name: { type: 'string', description: 'User name', default: 'John Doe' },
    age: { type: 'integer', description: 'User age', default: 30 },
    score: { type: 'number', description: 'User score', default: 95.5 },
    status: {
      type: 'string',
      description: 'User status',
      enum: ['active', 'inactive', 'pending'],
      default: 'active',
    },
    verified: { type: 'boolean', description: 'Verification status', default: true },
  },
  required: [],
};

const titled = [
  { const: 'value1', title: 'First Option' },
  { const: 'value2', title: 'Second Option' },
  { const: 'value3', title: 'Third Option' },
];

const choices: JsonForm = {
  type: 'object',
  properties: {
    untitledSingle: { type: 'string', enum: ['option1', 'option2', 'option3'] },
    titledSingle: { type: 'string', oneOf: titled },
    legacyEnum: {
      type: 'string',
      enum: ['opt1', 'opt2', 'opt3'],
      enumNames: ['Option One', 'Option Two', 'Option Three'],
    },
    untitledMulti: { type: 'array', items: { type: 'string', enum: ['option1', 'option2', 'option3'] } },
    titledMulti: { type: 'array', items: { anyOf: titled } },
  },
  required: [],
};
