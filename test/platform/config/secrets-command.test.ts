import { describe, expect, test } from '@jest/globals';
import { runSecretsCommand, readSecrets } from '#platform/config/secrets';

const secret = 'a secret with spaces of more than 32 characters';
/** Prints this text, by a program that is surely there. */
const printing = (text: string, then = ''): string =>
  `"${process.execPath}" -e "process.stdout.write(Buffer.from('${Buffer.from(text).toString('hex')}', 'hex').toString());${then}"`;
const read = (command: string) => readSecrets({ ASSENTRY_SECRETS_COMMAND: command });

describe('CR-05 secrets from a key service', () => {
  test('are what its command prints, the active one first', () => {
    expect(read(printing(`new:${secret},old:${secret} too\n`))).toEqual([
      { kid: 'new', secret },
      { kid: 'old', secret: `${secret} too` },
    ]);
  });

  test.each([
    ['fails, whatever it printed', printing(`k1:${secret}`, 'process.exit(3)'), 'a command that ended with 3'],
    ['prints nothing', printing(' \n'), 'a command that printed nothing'],
    ['prints something else', printing(secret), 'part 1, which is not of the form kid:secret'],
    ['prints a short secret', printing('k1:short'), 'in part 1 a secret of 5 characters'],
    ['prints too much', printing(`k1:${secret.repeat(2000)}`), 'a command that ended with'],
  ])('stop the start without a word of them if it %s', (_name, command, finding) => {
    const message = messageOf(() => read(command));
    expect(message).toContain(`ASSENTRY_SECRETS_COMMAND: found ${finding}`);
    expect(message).not.toMatch(/a secret with|short$/);
  });

  test('stop the start if it takes too long', () => {
    const message = messageOf(() => runSecretsCommand(printing('', 'setInterval(() => {}, 1000)'), 300));
    expect(message).toContain('found a command that took too long');
  });

  test.each(['ASSENTRY_SECRET', 'ASSENTRY_SECRETS'] as const)('are refused next to %s', (name) => {
    const environment = { ASSENTRY_SECRETS_COMMAND: printing(`k1:${secret}`), [name]: `k1:${secret}` };
    expect(messageOf(() => readSecrets(environment))).toContain('found secrets in the environment as well');
  });
});

function messageOf(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    expect(error).toMatchObject({ code: 'config-invalid' });
    return (error as Error).message;
  }
  throw new TypeError('Nothing was refused.');
}
