import { Modal, TextInput, useMantineColorScheme } from '@mantine/core';
import { useState, type KeyboardEvent } from 'react';
import { useNavigate } from 'react-router';
import type { SignedIn, Inbox, InboxItem } from '#requests/inbox/contract/inbox';
import { Revealed } from '../ui/Revealed.tsx';
import { palette as words, shortcuts } from '../ui/words/palette-words.ts';
import { shell } from '../ui/words/words.ts';
import classes from './Palette.module.css';
import { useQuery, useQueryClient, type InfiniteData } from '@tanstack/react-query';
import { languages } from '#platform/text/language';
import { chooseToRead } from '../language/language.ts';
import { listAddress, type InboxFilters } from '../requests/inbox/inbox-url.ts';
import { savedViewRoutes } from '#requests/inbox/contract/history';
import { query } from '../client/call.ts';
import { presentPlaces, pressHotkey } from './use-hotkeys.tsx';
import { density, split } from '../ui/looks.ts';
import { colorSchemes } from '../ui/theme.ts';
import { policiesQuery, serversQuery, usersQuery } from '../people/users/directory-queries.ts';
import { may, type Permission } from '#people/directory/contract/permission';

/** Finds every page, every control of this page, and the keys and settings, by typing. It presses no button of the page. */
export function Palette({ user, onClose }: { user: SignedIn['user']; onClose: () => void }) {
  const navigate = useNavigate();
  const [before] = useState(() => document.activeElement);
  const looks = useLookActions();
  const [all] = useState(() => {
    const page = document.getElementById('content');
    return [...(page ? controlsIn(page) : []), ...keyActions(), ...placesFor(user), ...looks, ...shellActions()];
  });
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const matches = matching([...all, ...useViewEntries(), ...useObjectEntries(text)], text);
  const entries = matches.length === 0 ? searchFor(text) : matches;
  const current = entries[at];
  const choose = (entry: PaletteEntry) => {
    onClose();
    if (typeof entry.to === 'string') void navigate(entry.to);
    else if (typeof entry.to === 'function') actAt(before, entry.to);
    else leadTo(entry.to);
  };
  const leave = () => {
    onClose();
    actAt(before, () => {});
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === 'Enter' && current) choose(current);
    else if (step !== undefined && entries.length > 0) setAt((at + step + entries.length) % entries.length);
    else return;
    event.preventDefault();
  };
  return (
    // Not Modal.Header: it is a second banner landmark.
    <Modal.Root opened onClose={leave} transitionProps={{ duration: 0 }} returnFocus={false} yOffset="12vh" size="lg">
      <Modal.Overlay />
      <Modal.Content aria-label={shell.find}>
        <Modal.Body className={classes.body}>
          <TextInput
            data-autofocus
            role="combobox"
            aria-expanded
            aria-controls="palette-list"
            aria-activedescendant={current?.id}
            aria-label={shell.find}
            placeholder={words.placeholder}
            value={text}
            onChange={(event) => {
              setText(event.currentTarget.value);
              setAt(0);
            }}
            onKeyDown={onKeyDown}
            autoComplete="off"
          />
          <div id="palette-list" role="listbox" aria-label={shell.find} className={classes.list}>
            {entries.map((entry) => (
              <Option key={entry.id} entry={entry} isCurrent={entry === current} onChoose={choose} />
            ))}
          </div>
          <p role="status" className={classes.note}>
            {matches.length === 0 ? words.none : words.note}
          </p>
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}

interface OptionProps {
  entry: PaletteEntry;
  isCurrent: boolean;
  onChoose: (entry: PaletteEntry) => void;
}

const Option = ({ entry, isCurrent, onChoose }: OptionProps) => (
  <div
    id={entry.id}
    role="option"
    aria-selected={isCurrent}
    className={classes.option}
    ref={isCurrent ? bringIntoView : null}
    onClick={() => onChoose(entry)}
  >
    <span>
      <Revealed text={entry.text} />
    </span>
    <span className={classes.group}>{words.groups[entry.group]}</span>
  </div>
);

const bringIntoView = (element: HTMLElement | null): void => element?.scrollIntoView({ block: 'nearest' });

/** Runs the act with the earlier focus: keys refer to it, and it returns when the dialog has gone. */
function actAt(before: Element | null, act: () => void): void {
  setTimeout(() => {
    if (before instanceof HTMLElement) before.focus();
    act();
  });
}

/** Follows a link. Any other control is only focused: pressing it stays a second, deliberate step. */
function leadTo(control: HTMLElement): void {
  // Waits until the dialog has returned the focus.
  setTimeout(() => {
    if (control instanceof HTMLAnchorElement) return control.click();
    control.scrollIntoView({ block: 'center' });
    control.focus();
  });
}

/** Actions of this page's keys. Keys that decide are left to their buttons, which take a second, deliberate step. */
function keyActions(): PaletteEntry[] {
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

/** Actions for the console's appearance in this browser. */
function useLookActions(): PaletteEntry[] {
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

/** Named lists of this person and others. */
const useViewEntries = (): PaletteEntry[] =>
  (useQuery(query(savedViewRoutes.listViews)).data?.views ?? []).flatMap(({ id, name, filters }) =>
    name === null || filters === null
      ? []
      : [{ id: `view-${id}`, text: words.view(name), group: 'go' as const, to: listAddress(filters as InboxFilters) }],
  );

/** Actions of the page header, which the palette triggers by clicking their buttons. Today: sign out. */
function shellActions(): PaletteEntry[] {
  const id = 'sign-out';
  const button = document.querySelector<HTMLElement>(`[data-${id}]`);
  return button === null
    ? []
    : [{ id, text: shell.signOut, group: 'action', to: button, also: words.synonyms[id] ?? '' }];
}

/** People, servers, policies and requests: too many to list before something is typed. */
function useObjectEntries(text: string): PaletteEntry[] {
  const isTyped = text.trim().length > 1;
  const people = useQuery({ ...usersQuery, enabled: isTyped }).data ?? [];
  const servers = useQuery({ ...serversQuery, enabled: isTyped }).data ?? [];
  const policies = useQuery({ ...policiesQuery, enabled: isTyped }).data ?? [];
  const requests = useLoadedRequests();
  if (!isTyped) return [];
  return [
    ...requestOf(text.trim()),
    ...policies.map(({ name }) => go(`policy-${name}`, words.policy(name), `/policies/${encodeURIComponent(name)}`)),
    ...people.map(({ id, name, email }) => ({ ...go(id, words.person(name), `/settings/people/${id}`), also: email })),
    ...servers.map(({ id, name }) => go(id, words.server(name), `/settings/servers/${id}`)),
    ...requests.map(({ id, tool, toolTitle, server, message, requester, facts }) => ({
      ...go(id, words.request(toolTitle ?? tool, facts[0]?.value ?? requester?.subject ?? null), `/requests/${id}`),
      also: [id, tool, server, message, requester?.subject].join(' '),
    })),
  ];
}

/** Entry that searches all open requests for a text found in no name. */
const searchFor = (text: string): PaletteEntry[] => [
  go('search', words.search(text.trim()), listAddress({ view: 'all', q: text.trim() })),
];

const go = (id: string, text: string, to: string): PaletteEntry => ({ id: `object-${id}`, text, group: 'go', to });

/** Entry of a request by its whole id, also if no list with it is loaded. */
const requestOf = (id: string): PaletteEntry[] =>
  /^eli_[\w-]{22}$/.test(id) ? [{ ...go(`id-${id}`, words.requestById(id), `/requests/${id}`), also: id }] : [];

/** Requests in the lists loaded by this browser, each once. */
function useLoadedRequests(): InboxItem[] {
  const lists = useQueryClient().getQueriesData<InfiniteData<Inbox>>({ queryKey: ['inbox'] });
  const items = lists.flatMap(([, data]) =>
    Array.isArray(data?.pages) ? data.pages.flatMap((page) => page.items) : [],
  );
  return [...new Map(items.map((item) => [item.id, item])).values()];
}

/** A target or an action of the palette. */
interface PaletteEntry {
  id: string;
  text: string;
  group: 'go' | 'page' | 'action';
  /** Other words that find it. */
  also?: string;
  /** Address, control on this page, or action. */
  to: string | HTMLElement | (() => void);
}

/** Permission without which the page offers nothing to do. */
const needed: Record<string, Permission> = {
  '/inbox': 'decide',
  '/new-policy': 'write-policies',
  '/settings/people/new': 'change-directory',
  '/settings/system': 'change-webhooks',
  '/settings/providers': 'change-webhooks',
  '/start': 'change-directory',
  '/audit/holds': 'read-log',
};

/** Rights to read pages that are also open to people of spaces and owners of servers. */
const read: Record<string, keyof SignedIn['user']['reads']> = {
  '/audit': 'log',
  '/audit/log': 'log',
  '/insights': 'insights',
};

/** Every page for this person. */
const placesFor = (user: SignedIn['user']): PaletteEntry[] =>
  Object.entries(words.places)
    .filter(([to]) => needed[to] === undefined || may(user, needed[to]))
    .filter(([to]) => read[to] === undefined || user.reads[read[to]])
    .map(([to, text]) => {
      const also = words.synonyms[to];
      return { id: `go-${to.replaceAll(/\W/g, '-')}`, text, group: 'go', to, ...(also !== undefined && { also }) };
    });

/** Every usable link, button and field of the page, by its accessible name; each name once. */
function controlsIn(page: HTMLElement): PaletteEntry[] {
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

/** Nodes that name it: the elements it refers to, its labels, or itself. */
function textsOf(control: HTMLElement): readonly (Node | null)[] {
  const ids = control.getAttribute('aria-labelledby')?.split(/\s+/);
  if (ids) return ids.map((id) => document.getElementById(id));
  const labels = 'labels' in control && control.labels instanceof NodeList ? [...control.labels] : [];
  return labels.length > 0 ? labels : [control];
}

/** Text without silent marks, such as the arrow of a link or the star of a required field. */
function spokenText(node: Node | null): string {
  if (node instanceof Element && node.matches('[aria-hidden=true]')) return '';
  return node?.hasChildNodes() ? [...node.childNodes].map(spokenText).join(' ') : (node?.textContent ?? '');
}

/** Entries with every word of the text, in any order; those that begin with the text come first. */
export function matching(entries: PaletteEntry[], text: string): PaletteEntry[] {
  const typed = text.toLowerCase();
  const parts = typed.split(/\s+/);
  const namesOf = ({ text: name, also = '' }: PaletteEntry): string => `${name} ${also}`.toLowerCase();
  const matches = entries.filter((entry) => parts.every((part) => namesOf(entry).includes(part)));
  const begins = ({ text: name }: PaletteEntry): boolean => name.toLowerCase().startsWith(typed);
  return [...matches.filter(begins), ...matches.filter((entry) => !begins(entry))];
}
