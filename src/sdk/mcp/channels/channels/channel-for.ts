import type { ElicitationState } from '../../../client/client.ts';
import { chooseChannel, type Channel } from '../../question/call/channel.ts';
import type { Run } from '../../run/run/run.ts';

/** How this run puts a stored question to the person who answers it. */
export function channelFor({ call, capabilities, settings }: Run, { audience, mode }: ElicitationState): Channel {
  const { round, task } = call;
  const taskAudience = task && (task.holdsQuestions ? ('everyone' as const) : ('approvers' as const));
  const client = { capabilities, hasRounds: round !== undefined, task: taskAudience };
  return chooseChannel({ audience, mode, withoutElicitation: settings.withoutElicitation, ...client });
}
