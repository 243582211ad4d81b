import type { AssentryClient } from '#sdk/client/client';
import { Problem } from '#platform/model/problem';
import { findOwnFiles } from '#cli/own-files';
import { formatDocument, formatSentences } from '#cli/output';
import { adapters } from '../adapters/adapters.ts';
import type { Harness } from '../adapters/harness.ts';
import { endedCalls, isEnd, readHookEvent, type HookEvent } from '../adapters/hook-event.ts';
import { hintsOf, judgeEvent, openRacedCall, type RacedCall } from '../judge-event.ts';
import { readProject } from '../project.ts';
import type { AskedEvent, HookAnswer } from '../socket.ts';
import { isJudgedElsewhere, serverFiles } from '../wrapped-servers.ts';

/** Seconds left for the answer when the wait for people ends, and when all else must have. */
const [reserve, lastReserve] = [30, 10];

interface WaitingHook extends Omit<AskedEvent, 'harness' | 'event'> {
  harness: Harness;
  bytes: Buffer;
  /** Data directory of Assentry. */
  directory: string;
  /** A call that leads into Assentry's own files is refused even without it. */
  client: Promise<AssentryClient>;
  /** Aborted when the agent no longer waits. */
  signal: AbortSignal;
}

/**
 * Answer of the hook to an event of a coding agent: a document in the agent's format, or code 2 and words, with which the agent
 * does not run the call. Never rejects.
 */
export async function answerEvent(hook: WaitingHook): Promise<HookAnswer> {
  const { harness, bytes, directory, client, seconds } = hook;
  client.catch(() => {});
  let deny = refuse;
  const ending = endOf(hook.signal, (seconds - lastReserve) * 1000);
  try {
    const event = readHookEvent(bytes, adapters[harness]);
    if (isEnd(event)) {
      for (const call of endedCalls(event)) await (await openRacedCall(directory, harness, call)).withdraw(client);
      return { code: 0, output: '', words: '' };
    }
    const { hook_event_name: name } = event;
    // The agent asks its own person at the same time.
    const isRaced = adapters[harness].isRaced && name === 'PermissionRequest';
    const raced = isRaced ? await openRacedCall(directory, harness, event) : undefined;
    deny = (reason) => print(adapters[harness].answerOf(name, { isAllowed: false, reason }));
    const judging = judge(hook, event, raced, ending.signal);
    const verdict = await Promise.race([judging, ending.reached]);
    if (verdict === 'late') return deny('Assentry did not answer in time. Nothing was run.');
    if (verdict !== 'left') return print(adapters[harness].answerOf(name, verdict));
    await raced?.withdraw(client).catch(() => {}); // the request then stays open until its deadline
    return refuse('The agent no longer waits. Nothing was run.');
  } catch (error) {
    return deny(error instanceof Problem ? error.message : 'The hook of Assentry failed. Nothing was run.');
  } finally {
    ending.stop();
  }
}

function judge(
  { harness, directory, client, home, program, variables, seconds }: WaitingHook,
  event: HookEvent,
  raced: RacedCall | undefined,
  signal: AbortSignal,
) {
  const { tools } = adapters[harness];
  const ownFiles = findOwnFiles(directory, { cwd: event.cwd, variables });
  const project = harness === 'claude-code' ? variables['CLAUDE_PROJECT_DIR'] : undefined;
  const place = { home, project, variables };
  const servers = serverFiles[harness]?.(place, [event.cwd, project ?? event.cwd]);
  const isElsewhere = servers !== undefined && isJudgedElsewhere(event.tool_name, servers, program, directory);
  const hintsNow = (of: HookEvent) => hintsOf(of, readProject(of, place), tools);
  const holdTimeoutMs = (seconds - reserve) * 1000;
  return judgeEvent({ client, harness, ownFiles, hintsOf: hintsNow, isElsewhere, holdTimeoutMs, raced, signal }, event);
}

/** Ends the wait for people when the agent leaves or its patience is over. */
function endOf(signal: AbortSignal, milliseconds: number) {
  const ending = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const reached = new Promise<'late' | 'left'>((resolve) => {
    timer = setTimeout(resolve, milliseconds, 'late');
    if (signal.aborted) resolve('left');
    signal.addEventListener('abort', () => resolve('left'), { once: true });
  });
  const stop = (): void => {
    clearTimeout(timer);
    ending.abort();
  };
  return { reached, signal: ending.signal, stop };
}

/** Answers in the agent's format: some agents do not show their model the output of a hook that ends with 2. */
const print = (document: Record<string, unknown>): HookAnswer => ({
  code: 0,
  output: formatDocument(document),
  words: '',
});

const refuse = (sentence: string): HookAnswer => ({ code: 2, output: '', words: formatSentences([sentence]) });
