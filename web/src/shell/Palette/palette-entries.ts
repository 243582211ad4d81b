import type { SignedIn } from '#requests/inbox/contract/inbox';
import { may, type Permission } from '#people/directory/contract/permission';
import { palette as words } from '../../ui/words/palette-words.ts';

/** Something that the palette leads to or does. */
export interface PaletteEntry {
  id: string;
  text: string;
  group: 'go' | 'page' | 'action';
  /** Other words by which it is found. */
  also?: string;
  /** Where it leads, the control on this page, or what it does. */
  to: string | HTMLElement | (() => void);
}

/** Without it, there is nothing to do on the page. */
const needed: Record<string, Permission> = {
  '/inbox': 'decide',
  '/new-policy': 'write-policies',
  '/settings/people/new': 'change-directory',
  '/settings/system': 'change-webhooks',
  '/start': 'change-directory',
  '/audit/holds': 'read-log',
};

/** What is there of some servers is for people of spaces and owners as well. */
const read: Record<string, keyof SignedIn['user']['reads']> = {
  '/audit': 'log',
  '/audit/log': 'log',
  '/insights': 'insights',
};

/** Every page that is for this person. */
export const placesFor = (user: SignedIn['user']): PaletteEntry[] =>
  Object.entries(words.places)
    .filter(([to]) => needed[to] === undefined || may(user, needed[to]))
    .filter(([to]) => read[to] === undefined || user.reads[read[to]])
    .map(([to, text]) => {
      const also = words.synonyms[to];
      return { id: `go-${to.replaceAll(/\W/g, '-')}`, text, group: 'go', to, ...(also !== undefined && { also }) };
    });

/** Every link, button and field of the page that can be used now, by its accessible name; each name once. */
export function controlsIn(page: HTMLElement): PaletteEntry[] {
  const controls = [
    ...page.querySelectorAll<HTMLElement>('a[href], button, summary, input, select, textarea, [contenteditable=true]'),
  ].filter(
    (control) =>
      control.checkVisibility({ visibilityProperty: true }) && !control.matches(':disabled, [aria-disabled=true]'),
  );
  const names = new Map(controls.reverse().map((control) => [nameOf(control), control]));
  names.delete('');
  return [...names].reverse().map(([text, to], at) => ({ id: `page-${at}`, text, group: 'page', to }));
}

const nameOf = (control: HTMLElement): string =>
  (control.getAttribute('aria-label') ?? textsOf(control).map(spokenText).join(' ')).replaceAll(/\s+/g, ' ').trim();

/** What names it: the elements it refers to, its labels, or itself. */
function textsOf(control: HTMLElement): readonly (Node | null)[] {
  const ids = control.getAttribute('aria-labelledby')?.split(/\s+/);
  if (ids) return ids.map((id) => document.getElementById(id));
  const labels = 'labels' in control && control.labels instanceof NodeList ? [...control.labels] : [];
  return labels.length > 0 ? labels : [control];
}

/** Marks are not read out, such as the arrow of a link or the star of a field that is required. */
function spokenText(node: Node | null): string {
  if (node instanceof Element && node.matches('[aria-hidden=true]')) return '';
  return node?.hasChildNodes() ? [...node.childNodes].map(spokenText).join(' ') : (node?.textContent ?? '');
}

/** Those that have every word of the text, in any order; the ones that begin with the text come first. */
export function matching(entries: PaletteEntry[], text: string): PaletteEntry[] {
  const typed = text.toLowerCase();
  const parts = typed.split(/\s+/);
  const namesOf = ({ text: name, also = '' }: PaletteEntry): string => `${name} ${also}`.toLowerCase();
  const matches = entries.filter((entry) => parts.every((part) => namesOf(entry).includes(part)));
  const begins = ({ text: name }: PaletteEntry): boolean => name.toLowerCase().startsWith(typed);
  return [...matches.filter(begins), ...matches.filter((entry) => !begins(entry))];
}
