import { expect, test } from '@jest/globals';
import { AnswerBudget } from '#gateway/upstreams/upstream';

/** What has been admitted by now, in this order. */
function watch() {
  const admitted: string[] = [];
  const settle = () => new Promise(setImmediate);
  return {
    admitted,
    settle,
    note: (name: string, taking: Promise<void>) =>
      void taking.then(
        () => admitted.push(name),
        (error: { code: string }) => admitted.push(`${name}: ${error.code}`),
      ),
  };
}

test('who finds no room waits in order, and a caller with their part waits for themselves alone', async () => {
  const answers = new AnswerBudget({ all: 5, each: 3 });
  const { admitted, settle, note } = watch();
  const [ada, again, bob, carol] = ['ada', 'ada', 'bob', 'carol'].map((name) => answers.reserve(name));
  note('ada', ada!.grow(3));
  note('ada again', again!.grow(1));
  note('bob', bob!.grow(3));
  note('carol', carol!.grow(1));
  await settle();
  expect(admitted).toEqual(['ada']); // carol does not pass bob
  ada!.shrink(1);
  await settle();
  expect(admitted).toEqual(['ada', 'ada again']);
  again!.release();
  await settle();
  expect(admitted).toEqual(['ada', 'ada again', 'bob']);
  bob!.release();
  await settle();
  expect(admitted).toEqual(['ada', 'ada again', 'bob', 'carol']);
});

test('who leaves waits no more, holds nothing, and takes nothing later', async () => {
  const answers = new AnswerBudget({ all: 3, each: 3 });
  const { admitted, settle, note } = watch();
  const [first, gone, next] = ['ada', 'bob', 'carol'].map((name) => answers.reserve(name));
  note('first', first!.grow(3));
  note('gone', gone!.grow(3));
  note('next', next!.grow(3));
  gone!.release();
  first!.release();
  first!.release();
  note('late', first!.grow(1));
  await settle();
  expect(admitted.toSorted()).toEqual(['first', 'gone: rate-limited', 'late: rate-limited', 'next']);
});
