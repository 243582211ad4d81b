import type { OpenElicitation } from '../client/client.ts';
import { nameCall, plainArguments } from './call-name.ts';
import { chooseAudience } from './channel.ts';
import type { ElicitOptions } from './elicit-options.ts';
import type { Question } from './question.ts';
import type { Run } from './run.ts';

/** What is sent to be stored: the question, and whose call it holds. */
export async function requestOf(
  run: Run,
  question: Question,
  step: string,
  options: ElicitOptions,
): Promise<OpenElicitation> {
  const { tool, requester, session } = run.call;
  const args = plainArguments(run.call.args);
  const audience = chooseAudience({ ...options, isDestructive: tool.annotations?.destructiveHint === true });
  const ttl = options.ttl ?? run.settings.ttl;
  // What is asked in one result is shown together; no question of it takes the place of another.
  const supersede = options.supersede ?? (run.isReentered ? 'none' : undefined);
  // Its first question names the call: all its questions are one journal, and are settled together.
  run.callName ??= nameCall({ audience, requester, session, tool: tool.name, args });
  return {
    tool,
    arguments: args,
    ...askedIn(question),
    audience,
    requester,
    session,
    step,
    call: await run.callName,
    ...(run.call.continues !== undefined && { toolCall: run.call.continues }),
    ...(ttl !== undefined && { ttl }),
    ...(options.reason !== undefined && { reason: options.reason }),
    ...(supersede && { supersede }),
  };
}

function askedIn(question: Question): Pick<OpenElicitation, 'message' | 'mode' | 'schema' | 'url' | 'elicitationId'> {
  const { message, mode, schema } = question;
  if (mode === 'form') return { message, mode, schema };
  const { url, elicitationId } = question;
  return {
    message,
    mode,
    ...(schema !== undefined && { schema }),
    ...(url !== undefined && { url }),
    ...(elicitationId !== undefined && { elicitationId }),
  };
}
