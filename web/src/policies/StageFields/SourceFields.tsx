import { Button, NativeSelect } from '@mantine/core';
import { fixedValues, sourceKinds, type SourceKind, type SourcePart } from '../policy-parts.ts';
import { rolesWith } from '#people/directory/contract/permission';
import { Cross } from '../../ui/icons.tsx';
import { roleNames } from '../../ui/words/words.ts';
import unseen from '../../shell/Unseen.module.css';
import { form as words } from '../words/words.ts';
import type { KnownNames } from './form-props.ts';
import classes from '../PolicyForm.module.css';
import { TextPart } from './TextPart.tsx';

interface SourceFieldsProps {
  /** Whose persons these are, for those who do not see the frame. */
  of: string;
  sources: SourcePart[];
  names: KnownNames;
  onChange: (sources: SourcePart[]) => void;
}

/** Who may vote: one line for each way to name persons; together they are one set. */
export function SourceFields({ of, sources, names, onChange }: SourceFieldsProps) {
  const replace = (at: number, source: SourcePart) => onChange(sources.with(at, source));
  const add = () => onChange([...sources, { kind: 'group', value: names.groups[0] ?? '' }]);
  return (
    <div role="group" aria-label={words.approversOf(of)} className={classes.sources}>
      <p className={classes.caption}>{words.approvers}</p>
      {sources.map((source, at) => (
        <div key={at} className={classes.source}>
          <NativeSelect
            aria-label={words.kind}
            value={source.kind}
            data={sourceKinds.map((value) => ({ value, label: words.kinds[value] }))}
            onChange={({ currentTarget }) => replace(at, startSource(currentTarget.value as SourceKind, names))}
          />
          <SourceValue source={source} names={names} onChange={(value) => replace(at, { ...source, value })} />
          {sources.length > 1 && (
            <Button
              variant="subtle"
              color="gray"
              className={classes.remove}
              onClick={() => onChange(sources.toSpliced(at, 1))}
            >
              <Cross />
              <span className={unseen.unseen}>{words.removeSource(words.kinds[source.kind], source.value)}</span>
            </Button>
          )}
        </div>
      ))}
      <Button variant="subtle" size="compact-sm" className={classes.add} onClick={add}>
        {words.addSource}
      </Button>
    </div>
  );
}

interface SourceValueProps {
  source: SourcePart;
  names: KnownNames;
  onChange: (value: string) => void;
}

function SourceValue({ source: { kind, value }, names, onChange }: SourceValueProps) {
  if (kind === 'anyone' || fixedValues[kind] !== undefined) return <span />;
  const label = words.kinds[kind];
  if (kind === 'role') {
    const data = rolesWith('decide').map((role) => ({ value: role, label: roleNames[role] }));
    return (
      <NativeSelect
        aria-label={label}
        data={data}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    );
  }
  if (kind === 'group' && names.groups.length > 0) {
    const data = names.groups.includes(value) ? names.groups : [value, ...names.groups];
    return (
      <NativeSelect
        aria-label={label}
        data={data}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    );
  }
  return (
    <TextPart
      label={label}
      value={value}
      suggestions={kind === 'user' ? names.users : []}
      isMono={kind === 'cel'}
      onChange={onChange}
    />
  );
}

function startSource(kind: SourceKind, names: KnownNames): SourcePart {
  const starts: Partial<Record<SourceKind, string>> = {
    role: 'admin',
    group: names.groups[0] ?? '',
    cel: '"emea" in user.groups',
  };
  return { kind, value: starts[kind] ?? '' };
}
