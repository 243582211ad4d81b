import type { OpenElicitation } from '../../../client/client.ts';
import type { Audience } from '#requests/asking/contract/elicitation';
import { nameCall, plainArguments } from '../../question/call/call-name.ts';
import { chooseAudience } from '../../question/call/channel.ts';
import type { ElicitOptions } from '../../question/question/elicit-options.ts';
import type { Question } from '../../question/question/question.ts';
import type { Run } from '../../run/run/run.ts';

/** Options as the tool's author wrote them, and as hooks set them. */
interface BothOptions {
  ofAuthor: ElicitOptions;
  set: ElicitOptions;
}

/** The request to store, without the name of its call. */
export function draftRequest(
  run: Run,
  question: Question,
  { step, takesEdits }: { step: string; takesEdits: boolean },
  both: BothOptions,
): OpenElicitation {
  const { tool, requester, session } = run.call;
  const { set } = both;
  const ttl = set.ttl ?? run.settings.ttl;
  // Questions of one result are shown together; none of them replaces another.
  const supersede = set.supersede ?? (run.isReentered ? 'none' : undefined);
  return {
    tool,
    arguments: plainArguments(run.call.args),
    ...askedIn(question),
    audience: audienceOf(run, both),
    requester,
    session,
    step,
    ...(takesEdits && { takesEdits }),
    ...(ttl !== undefined && { ttl }),
    ...(set.facts !== undefined && { facts: set.facts }),
    ...(set.reason !== undefined && { reason: set.reason }),
    ...(supersede && { supersede }),
  };
}

/** Its first question names the call: all its questions are one journal, and are settled together. */
export async function nameRequest(run: Run, draft: OpenElicitation, question: Question): Promise<OpenElicitation> {
  const { tool, requester, session } = run.call;
  const { audience = 'requester', arguments: args } = draft;
  const call = await run.nameOnce(() => nameCall({ audience, requester, session, tool, arguments: args }));
  const { continues } = run.call;
  return {
    ...draft,
    ...askedIn(question),
    call,
    ...(continues !== undefined && { toolCall: continues }),
  };
}

/** A hook may require approvers, and never remove them. */
function audienceOf({ call }: Run, { ofAuthor: authored, set }: BothOptions): Audience {
  const isDestructive = call.tool.annotations?.destructiveHint === true;
  const audiences = [authored, set].map((options) => chooseAudience({ ...options, isDestructive }));
  return audiences.includes('approvers') ? 'approvers' : 'requester';
}

type QuestionPart = 'message' | 'mode' | 'schema' | 'url' | 'elicitationId' | 'completedBy' | 'state';

function askedIn(question: Question): Pick<OpenElicitation, QuestionPart> {
  const { message, mode, schema } = question;
  if (mode === 'form') return { message, mode, schema };
  const { url, elicitationId, completedBy, state } = question;
  return {
    message,
    mode,
    ...(schema !== undefined && { schema }),
    ...(url !== undefined && { url }),
    ...(elicitationId !== undefined && { elicitationId }),
    ...(completedBy !== undefined && { completedBy }),
    ...(state !== undefined && { state }),
  };
}
