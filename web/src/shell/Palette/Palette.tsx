import { Modal, TextInput } from '@mantine/core';
import { useState, type KeyboardEvent } from 'react';
import { useNavigate } from 'react-router';
import type { SignedIn } from '#requests/inbox/contract/inbox';
import { Revealed } from '../../ui/Revealed/Revealed.tsx';
import { palette as words } from '../../ui/words/palette-words.ts';
import { shell } from '../../ui/words/words.ts';
import classes from '../Palette.module.css';
import { keyActions, shellActions, useLookActions, useViewEntries } from './palette-actions.ts';
import { searchFor, useObjectEntries } from './palette-objects.ts';
import { controlsIn, matching, placesFor, type PaletteEntry } from './palette-entries.ts';

/** Finds every page, every control of this page, and what keys and settings do, by typing. It presses no button of the page. */
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

/** Keys mean what had the focus before; it has it again when the dialog is gone. */
function actAt(before: Element | null, act: () => void): void {
  setTimeout(() => {
    if (before instanceof HTMLElement) before.focus();
    act();
  });
}

/** A link is followed. Any other control is only shown: pressing it stays a second, deliberate step. */
function leadTo(control: HTMLElement): void {
  // After the dialog has given the focus back.
  setTimeout(() => {
    if (control instanceof HTMLAnchorElement) return control.click();
    control.scrollIntoView({ block: 'center' });
    control.focus();
  });
}
