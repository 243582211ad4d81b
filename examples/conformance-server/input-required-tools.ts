import {
  acceptedContent,
  createRequestStateCodec,
  inputRequired,
  inputResponse,
  type McpServer,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { AssentryTools } from '../../src/sdk/mcp/assentry-v2.ts';
import { say } from './say.ts';

const Name = z.object({ name: z.string() });
const Confirmation = z.object({ ok: z.boolean() });

/** Tools of revision 2026-07-28 that need several rounds. */
export function registerInputRequiredTools(tools: AssentryTools, mcp: McpServer): void {
  registerQuestions(tools);
  registerOtherInputs(mcp);
  registerMixedInputs(mcp);
  registerPrompt(mcp);
}

/** What a person is asked goes through Assentry. */
function registerQuestions(tools: AssentryTools): void {
  tools.registerTool(
    'test_input_required_result_elicitation',
    { description: 'Asks for a name and greets.' },
    async ({ elicit }) => {
      const { content } = await elicit('What is your name?', Name, { key: 'user_name' });
      return say(`Hello, ${content?.name ?? 'stranger'}!`);
    },
  );
  for (const name of ['request_state', 'tampered_state']) {
    tools.registerTool(
      `test_input_required_result_${name}`,
      { description: 'Asks for a confirmation; the state is sealed.' },
      async ({ elicit }) => {
        await elicit('Please confirm', Confirmation, { key: 'confirm' });
        return say('state-ok');
      },
    );
  }
  tools.registerTool(
    'test_input_required_result_multi_round',
    { description: 'Asks for a name, then for a color.' },
    async ({ elicit }) => {
      const { content: first } = await elicit('Step 1: What is your name?', Name, { key: 'step1' });
      const Color = z.object({ color: z.string() });
      const { content: second } = await elicit('Step 2: What is your favorite color?', Color, { key: 'step2' });
      return say(`${first?.name} likes ${second?.color}.`);
    },
  );
}

/** What a model or the client itself is asked is not a question to a human, and stays with the SDK. */
function registerOtherInputs(mcp: McpServer): void {
  const sampling = (text: string) =>
    inputRequired.createMessage({ messages: [{ role: 'user', content: { type: 'text', text } }], maxTokens: 100 });
  for (const name of ['sampling', 'capabilities']) {
    mcp.registerTool(
      `test_input_required_result_${name}`,
      { description: 'Asks the model for a capital.' },
      ({ mcpReq }) => {
        const answer = inputResponse(mcpReq.inputResponses, 'capital_question');
        if (answer.kind === 'sampling') return say(JSON.stringify(answer.result.content));
        return inputRequired({ inputRequests: { capital_question: sampling('What is the capital of France?') } });
      },
    );
  }
  mcp.registerTool(
    'test_input_required_result_list_roots',
    { description: 'Asks the client for its roots.' },
    ({ mcpReq }) => {
      const answer = inputResponse(mcpReq.inputResponses, 'client_roots');
      if (answer.kind === 'roots') return say(JSON.stringify(answer.roots));
      return inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } });
    },
  );
}

/** Of one process and one run: this tool keeps nothing that would be worth more. */
const codec = createRequestStateCodec({ key: crypto.getRandomValues(new Uint8Array(32)) });

function registerMixedInputs(mcp: McpServer): void {
  mcp.registerTool(
    'test_input_required_result_multiple_inputs',
    { description: 'Asks person, model and client at once.' },
    async (context) => {
      const { inputResponses: responses } = context.mcpReq;
      const state = context.mcpReq.requestState();
      const user = acceptedContent(responses, 'user_name', Name);
      const greeting = inputResponse(responses, 'greeting');
      const roots = inputResponse(responses, 'client_roots');
      if (state && user && greeting.kind === 'sampling' && roots.kind === 'roots') {
        await codec.verify(String(state), context);
        return say(`${JSON.stringify(greeting.result.content)} ${user.name} ${JSON.stringify(roots.roots)}`);
      }
      return inputRequired({
        inputRequests: {
          user_name: inputRequired.elicit({ message: 'What is your name?', requestedSchema: Name }),
          greeting: inputRequired.createMessage({
            messages: [{ role: 'user', content: { type: 'text', text: 'Generate a greeting' } }],
            maxTokens: 50,
          }),
          client_roots: inputRequired.listRoots(),
        },
        requestState: await codec.mint({}, context),
      });
    },
  );
}

function registerPrompt(mcp: McpServer): void {
  const Context = z.object({ context: z.string() });
  mcp.registerPrompt('test_input_required_result_prompt', { description: 'Asks for its context.' }, ({ mcpReq }) => {
    const answer = acceptedContent(mcpReq.inputResponses, 'user_context', Context);
    if (answer) return { messages: [{ role: 'user', content: { type: 'text', text: answer.context } }] };
    const request = { message: 'What context should the prompt use?', requestedSchema: Context };
    return inputRequired({ inputRequests: { user_context: inputRequired.elicit(request) } });
  });
}
