import { spawn } from 'node:child_process';
import { hasScreen } from '#platform/config/env';
import type { Waiting } from '#gateway/harness/command/serve-socket';

/** Milliseconds in which policies and quick people decide without a notification. */
const pauseMs = 2_000;

/**
 * Shows a notification of the desktop when requests wait, where the platform has one for programs. It tells how many, and
 * nothing of what they are, because it may stand on a locked screen.
 */
export function notifyDesktop(readWaiting: () => Promise<Waiting>): () => void {
  let timer: NodeJS.Timeout | undefined;
  const look = async (): Promise<void> => {
    timer = undefined;
    const { count } = await readWaiting();
    if (count > 0) show('Assentry', count === 1 ? 'A call waits for an answer.' : `${count} calls wait for an answer.`);
  };
  return () => {
    if (!hasScreen()) return;
    timer ??= setTimeout(() => void look().catch(() => {}), pauseMs).unref();
  };
}

function show(title: string, text: string): void {
  const words = notifiers[process.platform as string]?.(title, text);
  if (words === undefined) return;
  const [program, ...args] = words;
  spawn(program, args, { stdio: 'ignore', detached: true })
    .on('error', () => {}) // it is not installed
    .unref();
}

const script = 'on run {title, text}\ndisplay notification text with title title\nend run';
const notifiers: Record<string, ((title: string, text: string) => [string, ...string[]]) | undefined> = {
  linux: (title, text) => ['notify-send', '--app-name=Assentry', title, text],
  darwin: (title, text) => ['osascript', '-e', script, title, text],
};
