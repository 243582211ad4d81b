import { plainArguments } from '../../question/call/call-name.ts';
import type { CallContext } from '../../hooks/hooks/hook-contexts.ts';
import type { Run } from '../../run/run/run.ts';

/** What hooks see of the call at every stage; copies, so that changes have no effect. */
export function callContext({ call }: Run, { step, signal }: { step: string; signal: AbortSignal }): CallContext {
  const { tool, requester, session, capabilities, authInfo } = call;
  const args = plainArguments(call.args);
  return { ...structuredClone({ tool, requester, session, capabilities }), args, authInfo, step, signal };
}
