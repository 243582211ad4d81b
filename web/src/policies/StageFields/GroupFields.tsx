import { writeSources, type GroupPart } from '../policy-parts.ts';
import { form as words } from '../words/words.ts';
import type { FormProps } from './form-props.ts';
import classes from '../PolicyForm.module.css';
import { SourceFields } from './SourceFields.tsx';
import { TextPart } from './TextPart.tsx';

/** How many of whom. */
export function GroupFields({ group, names, edit, isNamed }: FormProps & { group: GroupPart; isNamed: boolean }) {
  const { path, name, approve, deny, approvers } = group;
  return (
    <div className={classes.group}>
      {isNamed && (
        <TextPart
          label={words.groupName}
          value={name}
          onChange={(text) => edit([[...path, 'name'], text || undefined])}
        />
      )}
      <div className={classes.counts}>
        <TextPart
          label={words.approve}
          description={words.approveNote}
          value={approve || '1'}
          onChange={(text) => edit([[...path, 'approve'], countOf(text)])}
        />
        <TextPart
          label={words.deny}
          description={words.denyNote}
          value={deny || '1'}
          onChange={(text) => edit([[...path, 'deny'], countOf(text)])}
        />
      </div>
      <SourceFields
        of={name}
        sources={approvers}
        names={names}
        onChange={(sources) => edit([[...path, 'approvers'], writeSources(sources)])}
      />
    </div>
  );
}

/** Nothing written counts as one. */
const countOf = (text: string): string | number | undefined =>
  text === '' || text === '1' ? undefined : /^\d+$/.test(text) ? Number(text) : text;
