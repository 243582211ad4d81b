import { expect, test } from '@jest/globals';
import { builtInPolicy } from '#policies/document/rules/verdict';
import { secondAdministrator, strictDefault } from '#policies/document/rules/stages';
import { namePolicy } from '../../web/src/ui/words/words.ts';
import { builtIn as german } from '#locales/frame.de';

test('every stage of the built-in policy has a name in each language', () => {
  const stages = [strictDefault, secondAdministrator()].flatMap((policy) => policy.stages.map(({ name }) => name));
  expect(Object.keys(german.stages)).toEqual(stages);
});

test('the built-in policy is named, and other policies are called what their authors called them', () => {
  expect([builtInPolicy, 'built-in', 'built-in-two@1', 'refunds@3'].map(namePolicy)).toEqual([
    'built-in',
    'built-in',
    'built-in-two@1',
    'refunds@3',
  ]);
});
