import type { Logger } from 'pino';

/**
 * Logs an error that nothing else has caught, and lets the process go on: whatever it interrupted is not stored, and no
 * other request depends on it.
 */
export function catchLastResort(log: Logger): void {
  process.on('uncaughtException', (err: unknown, origin) =>
    log.error({ err, origin }, 'an error was caught by nothing else'),
  );
}
