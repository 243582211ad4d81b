import { TextInput } from '@mantine/core';
import { useState, type SubmitEvent } from 'react';
import { useNavigate } from 'react-router';
import { listAddress, withFilter, type InboxFilters } from '../../lib/inbox-url.ts';
import classes from './FilterBar.module.css';
import { words } from './words/words.ts';

/** Searches on Enter, so that each search is an address, and once for each search. */
export function SearchField({ filters }: { filters: InboxFilters }) {
  const navigate = useNavigate();
  const [text, setText] = useState(filters.q ?? '');
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    void navigate(listAddress(withFilter(filters, 'q', text.trim())));
  };
  return (
    <form role="search" onSubmit={submit} className={classes.search}>
      <TextInput
        type="search"
        aria-label={words.search}
        placeholder={words.searchNote}
        title={words.sealedNote}
        value={text}
        maxLength={200}
        onChange={(event) => setText(event.currentTarget.value)}
        enterKeyHint="search"
        autoComplete="off"
      />
    </form>
  );
}
