import { NativeSelect, useMantineColorScheme } from '@mantine/core';
import { languages } from '../../../../src/model/words/language.ts';
import { chosenLanguage, chooseToRead } from '../../lib/language/language.ts';
import page from '../../ui/page/Page.module.css';
import { colorSchemes } from '../../ui/theme.ts';
import { shell } from '../../ui/words/words.ts';
import classes from './Account.module.css';
import { appearance as words } from './words/words.ts';

/** How this browser shows the console. */
export function AppearanceSection() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <section className={classes.section} aria-labelledby="account-appearance">
      <h2 id="account-appearance" className={page.subtitle}>
        {words.title}
      </h2>
      <p className={page.small}>{words.note}</p>
      <div className={classes.two}>
        <NativeSelect
          label={words.theme}
          value={colorScheme}
          data={colorSchemes.map((value) => ({ value, label: words.themes[value] }))}
          onChange={({ currentTarget: { value } }) =>
            setColorScheme(colorSchemes.find((scheme) => scheme === value) ?? 'auto')
          }
        />
        <NativeSelect
          label={words.language}
          value={chosenLanguage() ?? ''}
          data={[
            { value: '', label: shell.languages.browser },
            ...languages.map((language) => ({ value: language, label: shell.languages[language] })),
          ]}
          onChange={({ currentTarget: { value } }) =>
            chooseToRead(languages.find((language) => language === value) ?? null)
          }
        />
      </div>
    </section>
  );
}
