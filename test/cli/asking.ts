import { createClient, type OpenedElicitation } from '#sdk/client/client';

/** Asks for approval as the MCP server of this key. */
export const ask = (url: string, apiKey: string, id = 'acc_1'): Promise<OpenedElicitation> =>
  createClient({ url, apiKey }).open({
    tool: { name: 'delete_account', annotations: { destructiveHint: true } },
    arguments: { id },
    message: `Delete ${id}?`,
    schema: { type: 'object', properties: { confirmed: { type: 'boolean' } }, required: ['confirmed'] },
    requester: { subject: 'alice', verified: false },
  });
