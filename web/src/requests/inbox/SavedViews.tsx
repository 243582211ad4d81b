import { Button, TextInput } from '@mantine/core';
import { useClickOutside } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState, type FormEvent, type KeyboardEvent } from 'react';
import { call, query } from '../../client/call.ts';
import { type InboxFilters, listAddress } from './inbox-url.ts';
import { Loaded } from '../../ui/Loaded.tsx';
import { ProblemNotice } from '../../ui/Notice.tsx';
import { useChange } from '../../people/changes/use-change.ts';
import classes from './SavedViews.module.css';
import { savedViews as words } from './words/views-words.ts';
import { may } from '../../people/roles/permission-table.ts';
import { Link } from 'react-router';
import { savedViewRoutes, type ChangeView, type SavedView, type SaveView } from '#requests/inbox/contract/history';
import { useUser } from '../../people/users/use-user.ts';
import { Revealed } from '../../ui/Revealed.tsx';

/** Named lists of this person and others, and the form to name this one. */
export function SavedViews({ filters }: { filters: InboxFilters }) {
  const [isOpen, setIsOpen] = useState(false);
  const outside = useClickOutside(() => setIsOpen(false));
  const toggle = useRef<HTMLButtonElement>(null);
  const focusToggle = () => toggle.current?.focus();
  const onKeyDown = ({ key }: KeyboardEvent) => {
    if (key !== 'Escape' || !isOpen) return;
    setIsOpen(false);
    focusToggle();
  };
  return (
    <div ref={outside} className={classes.views} onKeyDown={onKeyDown}>
      <Button
        ref={toggle}
        variant="subtle"
        className={classes.toggle}
        rightSection={<span className={classes.arrow} />}
        aria-expanded={isOpen}
        onClick={() => setIsOpen(!isOpen)}
      >
        {words.title}
      </Button>
      {isOpen && <Panel filters={filters} onChoose={() => setIsOpen(false)} onRemove={focusToggle} />}
    </div>
  );
}

interface PanelProps {
  filters: InboxFilters;
  onChoose: () => void;
  onRemove: () => void;
}

function Panel({ filters, onChoose, onRemove }: PanelProps) {
  const list = useQuery({ ...query(savedViewRoutes.listViews), select: (answer) => answer.views });
  const change = useChange(
    ({ id, body }: { id: string; body: ChangeView }) => call(savedViewRoutes.changeView, { params: { id }, body }),
    { message: words.changed },
  );
  const remove = useChange((id: string) => call(savedViewRoutes.removeView, { params: { id } }), {
    message: words.removed,
  });
  const failed = change.error ?? remove.error;
  return (
    <div className={classes.panel}>
      {failed !== null && <ProblemNotice error={failed} />}
      <Loaded query={list}>
        {(views) =>
          views.length === 0 ? (
            <p className={classes.note}>{words.none}</p>
          ) : (
            <ul aria-label={words.list} className={classes.list}>
              {views.map((view) => (
                <SavedViewRow
                  key={view.id}
                  view={view}
                  filters={filters}
                  onChoose={onChoose}
                  onChange={(body) => change.mutate({ id: view.id, body })}
                  onRemove={() => remove.mutate(view.id, { onSuccess: onRemove })}
                />
              ))}
            </ul>
          )
        }
      </Loaded>
      <SaveForm filters={filters} />
    </div>
  );
}

function SaveForm({ filters }: { filters: InboxFilters }) {
  const [name, setName] = useState('');
  const save = useChange((body: SaveView) => call(savedViewRoutes.saveView, { body }), { message: words.saved });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate({ name, filters }, { onSuccess: () => setName('') });
  };
  return (
    <form onSubmit={submit} className={classes.form}>
      {save.isError && <ProblemNotice error={save.error} />}
      <TextInput
        label={words.nameLabel}
        value={name}
        maxLength={60}
        required
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      <Button type="submit" variant="default" loading={save.isPending} disabled={name.trim() === ''}>
        {words.save}
      </Button>
      <p className={classes.note}>{words.noRight}</p>
    </form>
  );
}

interface SavedViewRowProps {
  view: SavedView;
  /** Filters of the shown list. */
  filters: InboxFilters;
  onChoose: () => void;
  onChange: (changes: ChangeView) => void;
  onRemove: () => void;
}

/** One view: a link to its list, its owner, and its actions. */
function SavedViewRow({ view, filters, onChoose, onChange, onRemove }: SavedViewRowProps) {
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

/** Button with a short text, and a full name for people who cannot see its context. */
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
