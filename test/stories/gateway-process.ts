import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { notesServer } from '../gateway/peers.ts';
import { newFolder } from '../support/new-folder.ts';
import { startProgram } from '../cli/assentry-process.ts';
import { shippedProgram } from '../support/compiled.ts';
import { until } from '../support/poll.ts';

export interface GatewayProcess {
  /** Where the notes server is. */
  url: string;
  kill(): Promise<void>;
}

export interface GatedNotes {
  /** Starts the gateway, at the same port each time. */
  start(): Promise<GatewayProcess>;
  /** Kills the server's processes. */
  killServers(): void;
  /** What the server has really done. */
  done(): string[];
}

/** The notes server over stdio behind `assentry gateway`, in front of this Assentry. */
export function gateNotes(url: string, apiKey: string): GatedNotes {
  const notes = notesServer();
  const [folder, own] = [newFolder(), newFolder()];
  const [config, processes] = [path.join(folder, 'gateway.yaml'), path.join(folder, 'processes')];
  const args = ['-c', 'echo $$ >> "$0"; exec "$@"', processes, ...notes.words];
  let port = 0;
  return {
    async start() {
      const upstream = { command: 'sh', args, key: { env: 'NOTES_KEY' } };
      writeFileSync(config, JSON.stringify({ port, upstreams: { notes: upstream } }));
      const env = { ASSENTRY_URL: url, ASSENTRY_DATA_DIR: own, NOTES_KEY: apiKey };
      const gateway = await startGateway(config, env);
      port = Number(new URL(gateway.url).port);
      return gateway;
    },
    killServers() {
      for (const pid of readFileSync(processes, 'utf8').split('\n').filter(Boolean)) kill(Number(pid));
    },
    done: notes.done,
  };
}

async function startGateway(config: string, env: Record<string, string>): Promise<GatewayProcess> {
  const { child, said: output, ended } = startProgram([shippedProgram, 'gateway', '--config', config], { env });
  const url = await until(() => /http:\S+/.exec(output.stderr)?.[0]);
  const end = async (): Promise<void> => {
    child.kill('SIGKILL');
    await ended;
  };
  return { url, kill: end };
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // it has ended
  }
}
