import { expect, test } from '@jest/globals';
import { HeldAnswers } from '#gateway/upstreams/held-answers';

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
  const answers = new HeldAnswers({ all: 5, each: 3 });
  const { admitted, settle, note } = watch();
  const [ada, again, bob, carol] = ['ada', 'ada', 'bob', 'carol'].map((name) => answers.hold(name));
  note('ada', ada!.take(3));
  note('ada again', again!.take(1));
  note('bob', bob!.take(3));
  note('carol', carol!.take(1));
  await settle();
  expect(admitted).toEqual(['ada']); // carol does not pass bob
  ada!.give(1);
  await settle();
  expect(admitted).toEqual(['ada', 'ada again']);
  again!.leave();
  await settle();
  expect(admitted).toEqual(['ada', 'ada again', 'bob']);
  bob!.leave();
  await settle();
  expect(admitted).toEqual(['ada', 'ada again', 'bob', 'carol']);
});

test('who leaves waits no more, holds nothing, and takes nothing later', async () => {
  const answers = new HeldAnswers({ all: 3, each: 3 });
  const { admitted, settle, note } = watch();
  const [first, gone, next] = ['ada', 'bob', 'carol'].map((name) => answers.hold(name));
  note('first', first!.take(3));
  note('gone', gone!.take(3));
  note('next', next!.take(3));
  gone!.leave();
  first!.leave();
  first!.leave();
  note('late', first!.take(1));
  await settle();
  expect(admitted.toSorted()).toEqual(['first', 'gone: rate-limited', 'late: rate-limited', 'next']);
});
