import { spawnSync } from 'node:child_process';
import { refuseVariable } from '../config.ts';
import { childEnvironment } from '../env.ts';

/** Milliseconds for which a key service may take to answer. */
const timeoutMs = 10_000;
/** Bytes. */
const maxOutputLength = 65_536;
const name = 'ASSENTRY_SECRETS_COMMAND';

/**
 * What this command of the shell prints: the secrets, as a key service gives them. Problem `config-invalid` if it fails,
 * takes too long or prints nothing; it names the exit code and never what was printed.
 */
export function runSecretsCommand(command: string, limit = timeoutMs): string {
  const { error, status, signal, stdout } = spawnSync(command, {
    shell: true,
    env: childEnvironment(),
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: limit,
    killSignal: 'SIGKILL',
    maxBuffer: maxOutputLength,
    encoding: 'utf8',
  });
  if ((error as NodeJS.ErrnoException | undefined)?.code === 'ETIMEDOUT') throw refuse('a command that took too long');
  if (error || status !== 0) throw refuse(`a command that ended with ${status ?? signal ?? 'an error'}`);
  if (stdout.trim() === '') throw refuse('a command that printed nothing');
  return stdout.trim();
}

const refuse = (finding: string) =>
  refuseVariable(name, finding, 'run it by itself: within ten seconds it must print kid:secret,kid:secret');
