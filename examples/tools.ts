import { appendFile } from 'node:fs/promises';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';
import { assentry, type AssentryOptions } from '../src/sdk/mcp/assentry.ts'; // in your project: 'assentry/mcp'
import { employeeForm } from './employee-form.ts';

export interface ExampleOptions extends AssentryOptions {
  /** A file that gets a line for everything a tool really did. */
  ledger?: string | undefined;
}

/** An MCP server whose tools ask before they act. */
export function createExampleServer({ ledger, ...options }: ExampleOptions = {}): McpServer {
  const mcp = new McpServer({ name: 'assentry-example', version: '1.0.0' });
  const tools = assentry(mcp, options);
  const act = async (line: string): Promise<void> => {
    if (ledger) await appendFile(ledger, `${line}\n`);
  };

  tools.registerTool(
    'delete_account',
    {
      title: 'Delete account',
      description: 'Deletes an account and everything in it. An approver is asked first.',
      inputSchema: { id: z.string().describe('Which account') },
      annotations: { destructiveHint: true },
    },
    async ({ id }, { elicit }) => {
      const form = z.object({ confirmed: z.boolean().describe('The account is gone for good') });
      const { status, content } = await elicit(`Delete the account ${id}?`, form);
      if (status !== 'accept' || !content.confirmed) return say(`Account ${id} was not deleted (${status}).`);
      await act(`deleted ${id}`);
      return say(`Account ${id} is deleted.`);
    },
  );

  tools.registerTool(
    'transfer_funds',
    {
      title: 'Transfer funds',
      description: 'Transfers money. An approver is asked first and may lower the amount.',
      inputSchema: { amount: z.number().positive().describe('Euro'), to: z.string().describe('IBAN of the recipient') },
      annotations: { destructiveHint: false, openWorldHint: true },
    },
    async ({ amount, to }, { elicit }) => {
      const form = z.object({
        limit: z.number().min(0).max(amount).default(amount).describe('Approve up to, in euro'),
      });
      const answer = await elicit(`Transfer ${amount.toFixed(2)} EUR to ${to}?`, form, { approval: true });
      if (answer.status !== 'accept') return say(`Nothing was transferred (${answer.status}).`);
      await act(`transferred ${answer.content.limit} to ${to}`);
      return say(`${answer.content.limit.toFixed(2)} EUR were transferred to ${to}.`);
    },
  );

  tools.registerTool(
    'onboard_employee',
    {
      title: 'Onboard employee',
      description: 'Sets up a new colleague. The person at the client fills in a form first.',
      inputSchema: { name: z.string().describe('Full name') },
      annotations: { destructiveHint: false },
    },
    async ({ name }, { elicit }) => {
      const { status, content } = await elicit(`Please complete the details for ${name}.`, employeeForm);
      if (status !== 'accept') return say(`${name} was not set up (${status}).`);
      await act(`onboarded ${name} <${content.email}>`);
      return say(`${name} starts on ${content.start} in ${content.team}.`);
    },
  );

  tools.registerTool(
    'link_account',
    {
      title: 'Link account',
      description: 'Links an account elsewhere. The person at the client is sent to a page, or told to go there first.',
      inputSchema: { isRequired: z.boolean().default(false).describe('Fail with the address of the page') },
      annotations: { destructiveHint: false },
    },
    async ({ isRequired }, { elicit }) => {
      const form = z.object({ iban: z.string().min(1).describe('Account to link') });
      const options = { mode: 'url', throwUrlRequired: isRequired } as const;
      const { status, content } = await elicit('Which account is to be linked?', form, options);
      if (status !== 'accept') return say(`Nothing was linked (${status}).`);
      await act(`linked ${content.iban}`);
      return say(`${content.iban} is linked.`);
    },
  );

  return mcp;
}

const say = (text: string) => ({ content: [{ type: 'text' as const, text }] });
