import { NativeSelect } from '@mantine/core';
import { contentScopes, type ContentScope } from '#requests/asking/contract/elicitation';
import { keeping as words } from '../words/later-words/later-words.ts';

/** Whose content it is about. */
export const ScopeChoice = ({ scope, onChange }: { scope: ContentScope; onChange: (scope: ContentScope) => void }) => (
  <NativeSelect
    label={words.scope}
    value={scope}
    data={contentScopes.map((value) => ({ value, label: words.scopes[value] }))}
    onChange={(event) => onChange(event.currentTarget.value as ContentScope)}
  />
);
