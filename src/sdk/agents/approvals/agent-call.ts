import type { z } from 'zod';
import type { OpenElicitation } from '../../client/client.ts';
import { plainArguments } from '../../mcp/question/call/call-name.ts';
import { canonicalText } from '#platform/model/hashed-text';
import { Problem } from '#platform/model/problem';

/** A tool of an agent, with the zod schema of its arguments. */
export interface AgentTool<Schema extends z.ZodObject = z.ZodObject> {
  name: string;
  description: string;
  schema: Schema;
  /** Hints as in MCP, by which policies see what the tool does. */
  annotations?: OpenElicitation['tool']['annotations'];
}

/** One call of a tool, as the agent's library names it. */
export interface AgentCall<Input = unknown> {
  /** Unique in the session. */
  id: string;
  tool: AgentTool;
  input: Input;
}

/** What people see. Arguments that JSON cannot show are refused. */
export const describeCall = ({ tool: { name, description, annotations }, input }: AgentCall) => ({
  tool: { name, description, ...(annotations && { annotations }) },
  arguments: plainArguments(input),
});

/** The approved arguments as the tool gets them; undefined if its schema does not take them as people saw them. */
export async function readSeen<Input>(
  { schema }: AgentTool,
  args: Record<string, unknown>,
): Promise<Input | undefined> {
  const { data } = await schema.safeParseAsync(args);
  return data !== undefined && canonicalText(plainArguments(data)) === canonicalText(args)
    ? (data as Input)
    : undefined;
}

/** What the tool is to run with: its own input, or what people made of it. */
export async function approvedInput<Input>(
  call: AgentCall<Input>,
  edited: Record<string, unknown> | undefined,
): Promise<Input> {
  if (edited === undefined) return call.input;
  const input = await readSeen<Input>(call.tool, edited);
  if (input !== undefined) return input;
  throw new Problem('INVALID_INPUT', {
    detail: 'Ask again: approvers edited the arguments, and this tool does not accept them. Nothing was run.',
  });
}
