import { nameCall, plainArguments, makeOnce, requireStep, type MemoPlace, type Once } from '../question/call.ts';
import type { Run } from '../run/run.ts';

export function createOnce(run: Run): Once {
  const once = async (key: string, make: Parameters<Once>[1]): Promise<unknown> => {
    requireStep(key, make);
    run.signal.throwIfAborted();
    return run.memos.once(key, async () =>
      makeOnce(run.client, await placeOf(run), { key, make }, async (memo) => {
        run.memos.add(memo);
        if (run.joined) await run.memos.keep(run.client, run.joined.toolCall);
      }),
    );
  };
  return once as Once; // the kept value was made in the type that `make` gives it
}

/** Place of the memos of the run's call. */
export async function placeOf(run: Run): Promise<MemoPlace> {
  const toolCall = run.joined?.toolCall ?? run.call.continues;
  if (toolCall !== undefined) return { toolCall };
  const { subject, issuer, verified } = run.call.requester;
  const requester = { subject, verified, ...(issuer !== undefined && { issuer }) };
  return { calls: await namesOf(run), requester };
}

/** The present name of the call, or those that its first question may give it: first as the requester's. */
export async function namesOf(run: Run): Promise<string[]> {
  if (run.callName !== undefined) return [await run.callName];
  const { tool, requester, session, args } = run.call;
  const facts = { requester, session, tool, arguments: plainArguments(args) };
  return Promise.all((['requester', 'approvers'] as const).map((audience) => nameCall({ audience, ...facts })));
}
