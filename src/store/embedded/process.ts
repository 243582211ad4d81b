import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { hasErrorCode } from '../database/system-error.ts';

const run = promisify(execFile);

/** A process that runs now. Number and start together name it; a number alone is given out again. */
export interface RunningProcess {
  startedAt: string;
  /** The command line; undefined where the system does not tell. */
  command: string | undefined;
}

/** A line that names a process for good: its number, and when it started. */
export async function identifyProcess(pid: number = process.pid): Promise<string> {
  return `${pid} ${(await findProcess(pid))?.startedAt ?? ''}`;
}

/** Whether the process so named is alive. */
export async function isSameProcess(identity: string): Promise<boolean> {
  const pid = Number(identity.split(' ')[0]);
  return (await findProcess(pid)) !== undefined && (await identifyProcess(pid)) === identity;
}

/** The living process of this number. A zombie is dead, although the kernel lets it be signalled. */
export async function findProcess(pid: number): Promise<RunningProcess | undefined> {
  if (!Number.isInteger(pid) || pid <= 0 || !takesSignals(pid)) return undefined;
  if (process.platform === 'linux') return readProc(pid);
  if (process.platform === 'win32') return { startedAt: '', command: undefined };
  return askPs(pid);
}

function takesSignals(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return hasErrorCode(error, 'EPERM'); // it lives, as someone else's
  }
}

async function readProc(pid: number): Promise<RunningProcess | undefined> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8');
    // The name in brackets may itself hold spaces and brackets; state is the field after it, start the 20th after it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields[0] === 'Z' || fields[0] === 'X') return undefined;
    return { startedAt: fields[19] ?? '', command: command.replaceAll('\0', ' ') };
  } catch {
    return undefined; // it ended while we looked
  }
}

async function askPs(pid: number): Promise<RunningProcess | undefined> {
  try {
    const { stdout } = await run('ps', ['-ww', '-o', 'stat=,lstart=,args=', '-p', String(pid)], {
      env: { LC_ALL: 'C' },
    });
    const [, state, startedAt, command] = /^(\S+)\s+(.{24})\s+(.*)$/s.exec(stdout.trim()) ?? [];
    if (state === undefined || state.startsWith('Z')) return undefined;
    return { startedAt: startedAt ?? '', command };
  } catch {
    return undefined; // ps ends with an error when there is no such process
  }
}
