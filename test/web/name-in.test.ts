import { expect, test } from '@jest/globals';
import { nameIn } from '../../web/src/audit/log/ReportPage.tsx';

test('people of one name are told apart in an answer', () => {
  const names = { usr_kim: 'Alex Kim', usr_other: 'Alex Kim', usr_ada: 'Ada' };
  expect(['usr_kim', 'usr_other', 'usr_ada', 'usr_gone'].map((id) => nameIn(names, id))).toEqual([
    'Alex Kim (usr_kim)',
    'Alex Kim (usr_other)',
    'Ada',
    'usr_gone',
  ]);
});
