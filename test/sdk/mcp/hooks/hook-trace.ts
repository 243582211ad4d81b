import { onRequest, onResult } from '#sdk/mcp/assentry';
import { stages } from '#sdk/mcp/hooks/hooks';

/** Hooks that write down every stage a question comes through, and by which channel it leaves. */
export function traceStages(): { hooks: object[]; takeTrace: () => string[] } {
  let trace: string[] = [];
  const note = (word: string) => () => void trace.push(word);
  const hooks = [
    ...stages.request.map((stage) => onRequest.did(stage, note(`request ${stage}`))),
    ...stages.result.map((stage) => onResult.did(stage, note(`result ${stage}`))),
    onRequest.did('finalize', ({ channel }) => void trace.push(channel)),
  ];
  return { hooks, takeTrace: () => trace.splice(0) };
}

const asRequest = stages.request.map((stage) => `request ${stage}`);
/** A question is stored, and leaves by this channel. */
export const sentBy = (channel: string): string[] => [...asRequest, channel];
/** A question that was asked before finds its answer. */
export const joined = asRequest.slice(0, 4);
/** An answer becomes a result. */
export const answered = stages.result.map((stage) => `result ${stage}`);
