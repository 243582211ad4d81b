import { NativeSelect } from '@mantine/core';
import { languages } from '#platform/text/language';
import { chosenLanguage, chooseToRead } from '../language/language.ts';
import { shell } from './words/words.ts';

/** Language of the console and the hosted pages in this browser: one of ours, or its own choice. */
export const LanguageSelect = ({ label }: { label: string }) => (
  <NativeSelect
    label={label}
    value={chosenLanguage() ?? ''}
    data={[
      { value: '', label: shell.languages.browser },
      ...languages.map((language) => ({ value: language, label: shell.languages[language] })),
    ]}
    onChange={({ currentTarget: { value } }) => chooseToRead(languages.find((language) => language === value) ?? null)}
  />
);
