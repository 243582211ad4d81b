import {
  createTheme,
  defaultVariantColorsResolver,
  type CSSVariablesResolver,
  type MantineColorSchemeManager,
  type MantineColorsTuple,
} from '@mantine/core';
import { shell } from './words/words.ts';
import { isKept, keep } from './kept-choice.ts';

const accent: MantineColorsTuple = [
  '#e8f6f6',
  '#d2ebeb',
  '#a5d7d8',
  '#74c3c4',
  '#4fb2b4',
  '#38a7aa',
  '#1c8f93',
  '#0f767a',
  '#0b5f63',
  '#064b4e',
];

/** Text on the accent: white in the light theme, dark in the dark one. */
const onAccent = 'var(--raised)';

export const theme = createTheme({
  colors: { accent },
  primaryColor: 'accent',
  // White text on the default shade has a contrast of 3.55 only.
  primaryShade: 8,
  variantColorResolver: (input) => ({
    ...defaultVariantColorsResolver(input),
    ...(input.variant === 'filled' && { color: onAccent }),
  }),
  // Components by name: they load with the pages that show them.
  components: {
    Checkbox: { defaultProps: { iconColor: onAccent } },
    PasswordInput: { defaultProps: { visibilityToggleButtonProps: { 'aria-label': shell.togglePassword } } },
    Radio: { defaultProps: { iconColor: onAccent } },
  },
  defaultRadius: 'sm',
  respectReducedMotion: true,
  cursorType: 'pointer',
  fontFamily: 'var(--font)',
  fontFamilyMonospace: 'var(--font-mono)',
  headings: { fontFamily: 'var(--font)', fontWeight: '600' },
});

const hover = 'color-mix(in srgb, var(--accent) 90%, var(--ink))';

/** Filled colours, because Mantine takes the same shade in light and dark. */
const filledByAccent = {
  '--mantine-primary-color-filled': 'var(--accent)',
  '--mantine-primary-color-filled-hover': hover,
  '--mantine-color-accent-filled': 'var(--accent)',
  '--mantine-color-accent-filled-hover': hover,
};

/** Our tokens for Mantine's surfaces, with a value each for light and dark. */
export const resolveVariables: CSSVariablesResolver = () => {
  const variables = {
    '--mantine-color-body': 'var(--page)',
    '--mantine-color-text': 'var(--ink)',
    '--mantine-color-dimmed': 'var(--ink-soft)',
    '--mantine-color-default': 'var(--raised)',
    '--mantine-color-default-hover': 'var(--hover)',
    '--mantine-color-default-color': 'var(--ink)',
    '--mantine-color-default-border': 'var(--line-strong)',
    '--mantine-color-placeholder': 'var(--ink-soft)',
    '--mantine-color-error': 'var(--danger)',
    '--mantine-color-anchor': 'var(--accent)',
    '--mantine-color-disabled': 'var(--sunken)',
    '--mantine-color-disabled-color': 'var(--ink-soft)',
    '--input-asterisk-color': 'var(--danger)',
  };
  return {
    variables: {},
    // Mantine draws the edges and grounds of its controls from these shades.
    light: { ...variables, '--mantine-color-gray-4': 'var(--line-strong)' },
    dark: {
      ...variables,
      ...filledByAccent,
      '--mantine-color-dark-4': 'var(--line-strong)',
      '--mantine-color-dark-6': 'var(--sunken)',
    },
  };
};

export const colorSchemes = ['auto', 'light', 'dark'] as const;

const cookie = 'assentry-theme';

/** Colour scheme of the system, unless the person has chosen; this browser keeps the choice for a year. */
export const chosenColorScheme: MantineColorSchemeManager = {
  get: (fallback) => colorSchemes.find((scheme) => isKept(cookie, scheme)) ?? fallback,
  set: (scheme) => keep(cookie, scheme),
  subscribe: () => undefined,
  unsubscribe: () => undefined,
  clear: () => keep(cookie, '', 0),
};
