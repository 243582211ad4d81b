import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { hasErrorCode } from '../../model/problem/system-error.ts';

const run = promisify(execFile);

/** A running process. Its number and start identify it, because numbers are reused. */
interface RunningProcess {
  startedAt: string;
  /** The command line; undefined if the system does not provide it. */
  command: string | undefined;
}

/** A line that identifies a process: its number, and when it started. */
export async function identifyProcess(pid: number = process.pid): Promise<string> {
  return `${pid} ${(await findProcess(pid))?.startedAt ?? ''}`;
}

/** Is the process of this line alive? */
export async function isSameProcess(identity: string): Promise<boolean> {
  const pid = Number(identity.split(' ')[0]);
  return (await findProcess(pid)) !== undefined && (await identifyProcess(pid)) === identity;
}

/** The living process of this number. A zombie counts as dead, although it can receive signals. */
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
    return hasErrorCode(error, 'EPERM'); // it is alive and belongs to another user
  }
}

async function readProc(pid: number): Promise<RunningProcess | undefined> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8');
    // The name in brackets may contain spaces and brackets; the state is the next field, the start the 20th.
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
    return undefined; // ps ends with an error if there is no such process
  }
}
