import type { Audience, Mode } from '#requests/asking/contract/elicitation';
import { supportsElicitation, type ElicitationCapabilities } from './capabilities.ts';

/**
 * How a question travels: to the person at the client over this call's stream (`push`), as its result (`round`) or with
 * a
 * task, to the same person by the address of a page (`link`) or by the agent (`relay`), or to the console while the
 * call
 * is held or is a task.
 */
export type Channel = 'push' | 'round' | 'link' | 'relay' | 'hold' | 'task' | 'unsupported';

interface ChannelFacts {
  /** The audience as Assentry decided it. */
  audience: Audience;
  mode: Mode;
  capabilities: ElicitationCapabilities | undefined;
  /** The client gets questions as results, and calls again. */
  hasRounds: boolean;
  /** Whose questions may become part of a task, for a client that takes one. */
  task?: 'approvers' | 'everyone' | undefined;
  withoutElicitation: WithoutElicitation;
}

/**
 * What to do with a requester's question if the client cannot ask: give the address of a page, let the agent ask and
 * pass on the answer, or throw an error.
 */
export type WithoutElicitation = (typeof withoutElicitations)[number];
export const withoutElicitations = ['link', 'relay', 'deny'] as const;

export function chooseChannel(facts: ChannelFacts): Channel {
  const { audience, mode, capabilities, hasRounds, task, withoutElicitation } = facts;
  if (audience === 'approvers') return task ? 'task' : 'hold';
  const isAble = supportsElicitation(capabilities, mode);
  if (task === 'everyone' && isAble) return 'task';
  if (isAble) return hasRounds ? 'round' : 'push';
  if (mode === 'form' && withoutElicitation === 'relay' && !supportsElicitation(capabilities)) return 'relay';
  return withoutElicitation === 'deny' ? 'unsupported' : 'link';
}

interface AudienceFacts {
  audience?: Audience | undefined;
  approval?: boolean | undefined;
  isDestructive: boolean;
}

/** The audience: as the tool's author says, otherwise approvers if the tool is destructive. */
export function chooseAudience({ audience, approval, isDestructive }: AudienceFacts): Audience {
  if (audience) return audience;
  return approval || isDestructive ? 'approvers' : 'requester';
}
