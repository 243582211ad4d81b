import { useMantineColorScheme } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { languages } from '#platform/text/language';
import { chooseToRead } from '../../language/language.ts';
import { listAddress, type InboxFilters } from '../../requests/inbox/inbox-url.ts';
import { viewsQuery } from '../queries.ts';
import { presentPlaces, pressHotkey } from '../use-hotkeys/use-hotkeys.tsx';
import { density, split } from '../../ui/looks.ts';
import { colorSchemes } from '../../ui/theme/theme.ts';
import { shortcuts, palette as words } from '../../ui/words/palette-words.ts';
import { shell } from '../../ui/words/words.ts';
import type { PaletteEntry } from './palette-entries.ts';

/** What the keys of this page do. Those that decide are left to their buttons, which take a second, deliberate step. */
export function keyActions(): PaletteEntry[] {
  const present = presentPlaces();
  const places = (['everywhere', 'list', 'request', 'together'] as const).filter((place) => present.has(place));
  return places.flatMap((place) =>
    shortcuts.keys[place].filter(isPressed).map(({ keys: [key = ''], does }) => ({
      id: `key-${place}-${key.codePointAt(0)}`,
      text: does,
      group: 'action' as const,
      to: () => pressHotkey(place, key),
    })),
  );
}

const isPressed = ({ keys: [key = ''], isSequence = false }: { keys: string[]; isSequence?: boolean }): boolean =>
  key.length === 1 && !isSequence;

/** How the console looks in this browser. */
export function useLookActions(): PaletteEntry[] {
  const { setColorScheme } = useMantineColorScheme();
  const entry = (id: string, text: string, to: () => void): PaletteEntry => ({ id, text, group: 'action', to });
  return [
    ...colorSchemes.map((scheme) => entry(`theme-${scheme}`, words.themes[scheme], () => setColorScheme(scheme))),
    ...density.values.map((value) => entry(`density-${value}`, words.densities[value], () => density.set(value))),
    ...split.values.map((value) => entry(`split-${value}`, words.split[value], () => split.set(value))),
    ...languages.map((language) =>
      entry(`language-${language}`, words.language(shell.languages[language]), () => chooseToRead(language)),
    ),
    entry('language-browser', words.language(shell.languages.browser), () => chooseToRead(null)),
  ];
}

/** The lists that this person or others have given a name. */
export const useViewEntries = (): PaletteEntry[] =>
  (useQuery(viewsQuery).data ?? []).flatMap(({ id, name, filters }) =>
    name === null || filters === null
      ? []
      : [{ id: `view-${id}`, text: words.view(name), group: 'go' as const, to: listAddress(filters as InboxFilters) }],
  );

/** The button that signs out stands above every page, and is pressed as any other. */
export function shellActions(): PaletteEntry[] {
  const id = 'sign-out';
  const button = document.querySelector<HTMLElement>(`[data-${id}]`);
  return button === null
    ? []
    : [{ id, text: shell.signOut, group: 'action', to: button, also: words.synonyms[id] ?? '' }];
}
