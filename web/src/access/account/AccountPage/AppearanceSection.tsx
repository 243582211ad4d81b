import { NativeSelect, Switch, useMantineColorScheme } from '@mantine/core';
import { LanguageSelect } from '../../../ui/LanguageSelect.tsx';
import { useChoice } from '../../../ui/theme/kept-choice.ts';
import { density, split } from '../../../ui/looks.ts';
import { colorSchemes } from '../../../ui/theme/theme.ts';
import classes from '../Account.module.css';
import { AccountSection } from '../AccountSections/AccountSection.tsx';
import { appearance as words } from '../words/words/words.ts';

/** How this browser shows the console. */
export function AppearanceSection() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const rows = useChoice(density);
  const isSplit = useChoice(split) === 'on';
  return (
    <AccountSection name="appearance" title={words.title} note={words.note}>
      <div className={classes.two}>
        <NativeSelect
          label={words.theme}
          value={colorScheme}
          data={colorSchemes.map((value) => ({ value, label: words.themes[value] }))}
          onChange={({ currentTarget: { value } }) =>
            setColorScheme(colorSchemes.find((scheme) => scheme === value) ?? 'auto')
          }
        />
        <LanguageSelect label={words.language} />
        <NativeSelect
          label={words.density}
          value={rows}
          data={density.values.map((value) => ({ value, label: words.densities[value] }))}
          onChange={({ currentTarget: { value } }) => density.set(value === 'compact' ? 'compact' : 'comfortable')}
        />
      </div>
      <Switch
        label={words.split}
        description={words.splitNote}
        checked={isSplit}
        onChange={({ currentTarget: { checked } }) => split.set(checked ? 'on' : 'off')}
      />
    </AccountSection>
  );
}
