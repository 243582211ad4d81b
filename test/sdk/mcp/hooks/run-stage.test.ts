import { describe, expect, test } from '@jest/globals';
import { HookFailedError, Problem } from '#sdk/mcp/assentry';
import { onRequest, onResult, readHooks, type RequestHookContext, runStage } from '#sdk/mcp/hooks/hooks';

const at = { flow: 'request', stage: 'parseInput' } as const;
let log: string[] = [];
const note = (word: string) => () => void log.push(word);
const wrap = (word: string) => async (_: object, next: () => Promise<object>) => {
  log.push(`${word}<`);
  await next();
  log.push(`>${word}`);
};

async function run(hooks: object[], context: object = {}, work = note('work')): Promise<string[]> {
  log = [];
  await runStage(readHooks(hooks), at, { settable: context, shown: () => ({}) }, () => {
    work();
    return { keep: undefined, show: () => ({ request: 'made' }) };
  });
  return log;
}

describe('a stage', () => {
  test('runs its hooks before, around, in place and after, each kind in the order listed (F-62, F-63, F-64, F-65, F-66)', async () => {
    const hooks = [
      onRequest.did('parseInput', note('did 1')),
      onRequest.around('parseInput', wrap('outer')),
      onRequest.stage('parseInput', note('instead')),
      onRequest.stage('parseInput', note('never: one is in its place already')),
      onRequest.will('parseInput', note('will 1')),
      onRequest.around('parseInput', wrap('inner')),
      onRequest.will('parseInput', note('will 2')),
      onRequest.did('parseInput', note('did 2')),
      onRequest.will('finalize', note('never: another stage')),
      onResult.will('parseInput', note('never: the other flow')),
    ];
    const order = 'will 1,will 2,outer<,inner<,instead,work,>inner,>outer,did 1,did 2';
    expect(await run(hooks)).toEqual(order.split(','));
    expect(await run([])).toEqual(['work']);
  });

  test('shows nothing, and so copies nothing, if it has no hook', async () => {
    const shown = (): never => {
      throw new TypeError('shown to no one');
    };
    const elsewhere = readHooks([onRequest.will('finalize', note('never'))]);
    const settable = { message: 'Pay?' };
    const kept = runStage(elsewhere, at, { settable, shown }, ({ message }) => ({ keep: message, show: shown }));
    expect(await kept).toBe('Pay?');
  });

  test('leaves out hooks whose filter says no (F-89)', async () => {
    const filter = ({ authInfo }: { authInfo?: { extra?: Record<string, unknown> | undefined } | undefined }) =>
      authInfo?.extra?.['role'] === 'admin';
    const hooks = [
      onRequest.will('parseInput', note('will'), { filter }),
      onRequest.stage('parseInput', note('stage'), { filter }),
      onRequest.around('parseInput', wrap('around'), { filter }),
      onRequest.did('parseInput', note('did'), { filter }),
    ];
    expect(await run(hooks, { authInfo: { extra: { role: 'clerk' } } })).toEqual(['work']);
    const admin = { authInfo: { extra: { role: 'admin' } } };
    expect(await run(hooks, admin)).toEqual(['will', 'around<', 'stage', 'work', '>around', 'did']);
  });

  test('does its own work once, whether a hook around it goes on twice, never, or without waiting', async () => {
    const twice = onRequest.around('parseInput', (_, next) => Promise.all([next(), next()]));
    const never = onRequest.around('parseInput', () => {});
    const careless = onRequest.around('parseInput', (_, next) => void next());
    for (const hook of [twice, never, careless]) expect(await run([hook])).toEqual(['work']);
  });

  test('shows what it made to the hooks after it, and to those around it', async () => {
    const values: unknown[] = [];
    const hooks = [
      onRequest.around('parseInput', async (_, next) => void values.push((await next()).request)),
      onRequest.did('parseInput', ({ request }) => void values.push(request)),
    ];
    await run(hooks);
    expect(values).toEqual(['made', 'made']);
  });

  test('fails with its own failure, which no hook can swallow or rename', async () => {
    const failure = new TypeError('broken');
    const breaks = () => {
      throw failure;
    };
    const swallow = onRequest.around('parseInput', async (_, next) => void (await next().catch(() => {})));
    const pass = onRequest.around('parseInput', (_, next) => next());
    for (const hooks of [[], [swallow], [pass], [pass, swallow]]) {
      await expect(run(hooks, {}, breaks)).rejects.toBe(failure);
    }
  });

  type Fails = () => never;
  const makers = {
    will: (run: () => unknown, filter?: Fails) => onRequest.will('parseInput', run, filter && { filter }),
    stage: (run: () => unknown, filter?: Fails) => onRequest.stage('parseInput', run, filter && { filter }),
    around: (run: () => unknown, filter?: Fails) => onRequest.around('parseInput', run, filter && { filter }),
    did: (run: () => unknown, filter?: Fails) => onRequest.did('parseInput', run, filter && { filter }),
  };

  test.each(Object.entries(makers))('fails if its %s hook does, and names the hook', async (moment, make) => {
    const fail = () => {
      throw new RangeError('secret of the house');
    };
    const refused = run([make(fail)]);
    await expect(refused).rejects.toBeInstanceOf(HookFailedError);
    await expect(refused).rejects.toMatchObject({ flow: 'request', stage: 'parseInput', moment, code: 'internal' });
    await expect(refused).rejects.toThrow(`Check the hook ${moment} of parseInput in the request flow: it failed.`);
    await expect(refused).rejects.toHaveProperty('cause', expect.any(RangeError));
    expect(log.includes('work')).toBe(moment === 'did');
    await expect(run([make(() => {}, fail)])).rejects.toBeInstanceOf(HookFailedError);
  });

  test.each(Object.entries(makers))('passes on a Problem that its %s hook throws as it is', async (_, make) => {
    const no = new Problem('forbidden', { detail: 'Not on Sundays.' });
    await expect(run([make(() => Promise.reject(no))])).rejects.toBe(no);
  });
});

describe('decorators', () => {
  class Journal {
    readonly lines: string[] = [];
    readonly #name: string;
    constructor(name: string) {
      this.#name = name;
    }

    @onRequest.will('parseInput')
    asked({ message }: RequestHookContext<'parseInput'>) {
      this.lines.push(`${this.#name} hears ${message}`);
    }

    @onRequest.around('parseInput', { filter: ({ message }) => message.startsWith('Delete') })
    async timed({ message }: RequestHookContext<'parseInput'>, next: () => Promise<object>) {
      await next();
      this.lines.push(`${this.#name} saw ${message} through`);
    }

    @onResult.did('finalize')
    ended() {
      this.lines.push('never in this flow');
    }
  }

  test('make hooks of the methods of a class, each instance for itself (F-81, F-82, F-86)', async () => {
    const [first, second] = [new Journal('one'), new Journal('two')];
    await run([first, second], { message: 'Delete?' });
    await run([first], { message: 'Keep?' });
    expect(first.lines).toEqual(['one hears Delete?', 'one saw Delete? through', 'one hears Keep?']);
    expect(second.lines).toEqual(['two hears Delete?', 'two saw Delete? through']);
  });

  test('are inherited', async () => {
    class Louder extends Journal {
      @onRequest.did('parseInput')
      done() {
        this.lines.push('done');
      }
    }
    const louder = new Louder('three');
    await run([louder], { message: 'Keep?' });
    expect(louder.lines).toEqual(['three hears Keep?', 'done']);
  });
});

test.each([
  ['an object without decorated methods', () => readHooks([{}])],
  ['a bare function', () => readHooks([() => {}])],
  ['a stage that is none', () => onRequest.will('publishResult' as 'finalize', () => {})],
])('%s is refused as a hook', (_, make) => {
  expect(make).toThrow(expect.objectContaining({ code: 'config-invalid' }));
});
