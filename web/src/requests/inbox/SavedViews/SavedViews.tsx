import { Button, TextInput } from '@mantine/core';
import { useClickOutside } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState, type FormEvent, type KeyboardEvent } from 'react';
import { changeView, removeView, saveView } from '../../../access/account/account.ts';
import type { InboxFilters } from '../inbox-url.ts';
import { viewsQuery } from '../../../shell/queries.ts';
import { Loaded } from '../../../ui/Loaded.tsx';
import { ProblemNotice } from '../../../ui/Notice/Notice.tsx';
import { useChange } from '../../../people/changes/use-change.ts';
import { SavedViewRow } from './SavedViewRow.tsx';
import classes from '../SavedViews.module.css';
import { savedViews as words } from '../words/views-words.ts';

/** The lists that this person or others have given a name, and the form that gives this one a name. */
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
  const change = useViewChange(changeView, words.changed);
  const remove = useViewChange(removeView, words.removed);
  const failed = change.error ?? remove.error;
  return (
    <div className={classes.panel}>
      {failed !== null && <ProblemNotice error={failed} />}
      <Loaded query={useQuery(viewsQuery)}>
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
                  onChange={(changes) => change.mutate({ id: view.id, changes })}
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
  const save = useViewChange(saveView, words.saved);
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

const useViewChange = <Change,>(send: (change: Change) => Promise<unknown>, message: string) =>
  useChange(send, { message, queries: [viewsQuery.queryKey] });
