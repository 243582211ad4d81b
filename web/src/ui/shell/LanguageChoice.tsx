import { NativeSelect } from '@mantine/core';
import { languages } from '../../../../src/model/words/language.ts';
import { chosenLanguage, chooseToRead } from '../../lib/language/language.ts';
import { shell } from '../words/words.ts';
import classes from './LanguageChoice.module.css';

/** In which language this browser shows the console and the hosted pages. */
export function LanguageChoice() {
  return (
    <footer className={classes.footer}>
      <NativeSelect
        label={shell.language}
        value={chosenLanguage() ?? ''}
        data={[
          { value: '', label: shell.languages.browser },
          ...languages.map((language) => ({ value: language, label: shell.languages[language] })),
        ]}
        onChange={({ currentTarget: { value } }) =>
          chooseToRead(languages.find((language) => language === value) ?? null)
        }
      />
    </footer>
  );
}
