import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isOpenEnded } from '#gateway/harness/judge-event';
import { isNight, runs } from '../../support/runs.ts';

const shells = [
  'bash',
  'sh',
  'zsh',
  '/bin/sh',
  'fish',
  'python3',
  'ipython',
  'node',
  'irb',
  'perl',
  'psql',
  'pwsh',
  'iex',
];
const before = [
  'sudo',
  'sudo -u root',
  'flock /tmp/lock',
  'strace -f',
  'ltrace',
  'nice -n 5',
  'timeout 5',
  'env A=b',
  'nohup',
  'setsid',
  'uv run',
  'poetry run',
  'pipenv run',
  'npx',
  'docker exec -it web',
  'kubectl exec -it pod --',
  'find . -maxdepth 1 -exec',
  'find . -ok',
  'xvfb-run -a',
  'chroot /srv',
  'doas',
  'op run --',
  'ssh host',
  'script -q -c',
  'cat a |',
  'cd /srv &&',
  'true;',
];
const pairs = before.flatMap((start) => shells.map((shell) => [start, shell] as const));

test('a shell or the like that stands anywhere in a line takes more commands', () => {
  const drawn = fc.constantFrom(...pairs);
  const end = fc.constantFrom('', ' ', ' ; true', ' && true');
  fc.assert(
    fc.property(drawn, end, ([start, shell], rest) => {
      const line = start.startsWith('find') ? `${start} ${shell} \\;` : `${start} ${shell}${rest}`;
      expect([line, isOpenEnded(line, {})]).toEqual([line, true]);
    }),
    { numRuns: isNight ? pairs.length * 4 : runs(4_000) },
  );
});

test.each([
  'sudo -i',
  'sudo -s',
  'sudo -u root -i',
  'sudo su -',
  'doas -s',
  'find . -exec bash \\;',
  'find . -execdir sh {} +',
  'tar cf /dev/null a --checkpoint=1 --checkpoint-action=exec=sh',
  'tar xf a --to-command=bash',
  'git -c core.pager=less log',
  'git -c core.pager=bash log',
  "git -c alias.x='!bash' x",
  'git -c core.editor=vim commit',
  'rsync --rsh=sh a b',
  '. /dev/stdin',
  'source /dev/stdin',
  'source /dev/fd/0',
  'bash /dev/stdin',
  'python3 /dev/tty',
  'eval "$(cat)"',
  'eval "$x"',
  'eval `cat`',
  'bash -c "$(cat)"',
  'sh -c "$x"',
  'rails console',
  'bin/rails console',
  'flask shell',
  'python manage.py shell',
  'php artisan tinker',
  'crontab -e',
  'ts-node',
  'pry',
  'FOO=bar bash',
])('takes more commands: %s', (line) => expect(isOpenEnded(line, {})).toBe(true));

test.each([
  'echo bash',
  'which python3',
  'ls node',
  'grep -r sh src',
  'find . -name node',
  'find . -exec bash build.sh {} \\;',
  'find . -exec ls {} \\;',
  'pip install ipython',
  'apt-get install -y python3 nodejs',
  'npm install node',
  'brew install bash',
  'docker pull node',
  'uv run python a.py',
  'poetry run python -m pytest',
  'flock /tmp/lock bash build.sh',
  'sudo -n true',
  'git -c core.pager=cat log',
  'git log --format=%H',
  'git commit -m "open a shell"',
  'tar cf a.tar src',
  'source .venv/bin/activate',
  'npm run build -- --shell=none',
  'rails server',
  'bash -c "echo $x"',
])('takes none: %s', (line) => expect(isOpenEnded(line, {})).toBe(false));
