import { may } from '../../../people/roles/permission-table.ts';
import { Button, TextInput } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { Link } from 'react-router';
import type { ChangeView, SavedView } from '#requests/inbox/contract/history';
import { listAddress, type InboxFilters } from '../inbox-url.ts';
import { useUser } from '../../../people/users/use-user.ts';
import { Revealed } from '../../../ui/Revealed/Revealed.tsx';
import classes from '../SavedViews.module.css';
import { savedViews as words } from '../words/views-words.ts';

interface SavedViewRowProps {
  view: SavedView;
  /** Of the list that is shown. */
  filters: InboxFilters;
  onChoose: () => void;
  onChange: (changes: ChangeView) => void;
  onRemove: () => void;
}

/** One view: a link to its list, whose it is, and what may be done with it. */
export function SavedViewRow({ view, filters, onChoose, onChange, onRemove }: SavedViewRowProps) {
  const [isRenaming, setIsRenaming] = useState(false);
  const mayRemove = may(useUser(), 'tend-requests').allowed || view.isOwn;
  const name = view.name ?? words.unnamed;
  const address = view.filters && listAddress(view.filters as InboxFilters);
  return (
    <li className={classes.item}>
      {address === null ? (
        <p>{words.unreadable}</p>
      ) : (
        <Link
          to={address}
          aria-current={address === listAddress(filters) ? 'page' : undefined}
          className={classes.name}
          onClick={onChoose}
        >
          <Revealed text={name} />
        </Link>
      )}
      {view.isShared && <span className={classes.note}>{view.isOwn ? words.shared : words.by(view.owner.name)}</span>}
      {isRenaming ? (
        <RenameForm
          name={name}
          onEnd={(next) => {
            setIsRenaming(false);
            if (next !== null) onChange({ name: next });
          }}
        />
      ) : (
        <div className={classes.actions}>
          {view.isOwn && address !== null && (
            <>
              <Action name={name} words={words.rename} onPress={() => setIsRenaming(true)} />
              <Action
                name={name}
                words={view.isShared ? words.unshare : words.share}
                onPress={() => onChange({ isShared: !view.isShared })}
              />
            </>
          )}
          {mayRemove && <Action name={name} words={words.remove} onPress={onRemove} />}
        </div>
      )}
    </li>
  );
}

interface ActionProps {
  name: string;
  words: { short: string; whole: (name: string) => string };
  onPress: () => void;
}

/** Says in short what the eye sees it belongs to. */
const Action = ({ name, words: { short, whole }, onPress }: ActionProps) => (
  <Button
    variant="subtle"
    color="gray"
    size="compact-sm"
    className={classes.action}
    aria-label={whole(name)}
    onClick={onPress}
  >
    {short}
  </Button>
);

function RenameForm({ name, onEnd }: { name: string; onEnd: (name: string | null) => void }) {
  const [next, setNext] = useState(name);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onEnd(next);
  };
  return (
    <form onSubmit={submit} className={classes.form}>
      <TextInput
        label={words.renameLabel}
        value={next}
        maxLength={60}
        required
        data-autofocus
        onChange={({ currentTarget }) => setNext(currentTarget.value)}
      />
      <div className={classes.actions}>
        <Button type="submit" variant="default" disabled={next.trim() === ''}>
          {words.keep}
        </Button>
        <Button variant="subtle" color="gray" onClick={() => onEnd(null)}>
          {words.cancel}
        </Button>
      </div>
    </form>
  );
}
