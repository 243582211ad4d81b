import type { Audience, Mode } from '../model/elicitation.ts';
import { supportsElicitation, type ElicitationCapabilities } from './capabilities.ts';

/**
 * How a question travels: to the person at the client over this call's stream (`push`), as its result (`round`) or with a
 * task, or to the console while the call is held or is a task.
 */
export type Channel = 'push' | 'round' | 'hold' | 'task' | 'unsupported';

export interface ChannelFacts {
  /** As Assentry decided it, whatever was asked for. */
  audience: Audience;
  mode: Mode;
  capabilities: ElicitationCapabilities | undefined;
  /** The client is asked by results, and calls again. */
  hasRounds: boolean;
  /** Whose questions may become part of a task, for a client that takes one. */
  task?: 'approvers' | 'everybody' | undefined;
}

export function chooseChannel({ audience, mode, capabilities, hasRounds, task }: ChannelFacts): Channel {
  if (audience === 'approvers') return task ? 'task' : 'hold';
  if (task === 'everybody' && mode === 'form') return 'task';
  if (mode !== 'form' || !supportsElicitation(capabilities, 'form')) return 'unsupported';
  return hasRounds ? 'round' : 'push';
}

export interface AudienceFacts {
  audience?: Audience | undefined;
  approval?: boolean | undefined;
  isDestructive: boolean;
}

/** Whom to ask for: as the tool's author says, else approvers for a tool that calls itself destructive. */
export function chooseAudience({ audience, approval, isDestructive }: AudienceFacts): Audience {
  if (audience) return audience;
  return approval || isDestructive ? 'approvers' : 'requester';
}
