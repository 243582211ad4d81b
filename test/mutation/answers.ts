import { faultsOf, type Fault } from './fault.ts';

const answers = ['test/platform/form/answer.test.ts'];

/** In what people type, and in the names and texts that they read. */
export const answerFaults: Fault[] = [
  ...faultsOf('src/platform/form/answer.ts', answers, [
    ['Number.isSafeInteger(value)', 'Number.isInteger(value)'],
    ['value >= minimum', 'value > minimum'],
    ['countCharacters(text) <= maxLength', 'text.length <= maxLength'],
    [
      'values.findIndex((value) => !options.has(value))',
      'values.slice(0, 1).findIndex((value) => !options.has(value))',
    ],
  ]),
  ...faultsOf('src/platform/form/answer.ts', answers, [
    ['!Object.hasOwn(schema.properties, name)', '!(name in schema.properties)'],
    ["isRequired ? { code: 'required' } : undefined", 'undefined'],
  ]),
  ...faultsOf(
    'src/platform/form/schema.ts',
    ['test/platform/form/string-format.test.ts'],
    [
      ['(year % 100 !== 0 || year % 400 === 0)', 'year % 100 !== 0'],
      ['labels.length > 1 && ', ''],
      ['!/[\\s\\p{Cc}]/u.test(text) && ', ''],
    ],
  ),
  ...faultsOf(
    'src/platform/form/lint.ts',
    ['test/platform/form/secret-names.test.ts'],
    [
      [".normalize('NFKC')", ".normalize('NFC')"],
      [".replace(/s$/, '')", ''],
    ],
  ),
  ...faultsOf(
    'src/platform/model/names.ts',
    ['test/platform/model/identity.test.ts'],
    [["return protocol === 'https:' || (", "return protocol !== '' || ("]],
  ),
  ...faultsOf(
    'src/platform/model/identity.ts',
    ['test/platform/model/identity.test.ts'],
    [
      [" || subject.includes('@') ? foldSubject", ' ? foldSubject'],
      ['isPlain && isPrivateAddress(issuer) &&', 'isPlain &&'],
      ['(first.issuer == null || other.issuer == null || first.issuer', '(first.issuer == null || first.issuer'],
    ],
  ),
  ...faultsOf(
    'src/platform/text/hidden-characters.ts',
    ['test/web/request/refusal.test.ts', 'test/platform/text/visible-text.test.ts'],
    [
      ['\\p{Default_Ignorable_Code_Point}', ''],
      ['(?<=\\p{M}{4})', '(?<=\\p{M}{40})'],
    ],
  ),
];
