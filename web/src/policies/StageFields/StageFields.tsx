import { Button, NativeSelect } from '@mantine/core';
import type { Edit } from './edit-policy.ts';
import { writeSources, type StagePart } from '../policy-parts.ts';
import { choicesOf, form as words } from '../words/words.ts';
import { EscalationFields } from './EscalationFields.tsx';
import type { FormProps } from './form-props.ts';
import { GroupFields } from './GroupFields.tsx';
import classes from '../PolicyForm.module.css';
import { TextPart } from './TextPart.tsx';

interface StageFieldsProps extends FormProps {
  stage: StagePart;
  number: number;
  isOnly: boolean;
}

export function StageFields({ stage, number, isOnly, names, edit }: StageFieldsProps) {
  const { path, name, complete, groups } = stage;
  const last = groups.length - 1;
  return (
    <fieldset className={classes.stage}>
      <legend className={classes.legend}>{words.stage(number)}</legend>
      <TextPart
        label={words.stageName}
        value={name}
        onChange={(text) => edit([[...path, 'name'], text || undefined])}
      />
      {groups.length > 1 && (
        <NativeSelect
          label={words.complete}
          value={complete || 'all'}
          data={choicesOf(words.completes)}
          onChange={({ currentTarget }) => edit([[...path, 'complete'], currentTarget.value])}
        />
      )}
      {groups.map((group, at) => (
        <GroupFields key={at} group={group} names={names} edit={edit} isNamed={!stage.isShort} />
      ))}
      <EscalationFields stage={stage} names={names} edit={edit} />
      <div className={classes.row}>
        <Button variant="default" size="compact-sm" onClick={() => edit(...addGroup(stage))}>
          {words.addGroup}
        </Button>
        {groups.length > 1 && (
          <Button
            variant="subtle"
            color="gray"
            size="compact-sm"
            onClick={() => edit([[...path, 'groups', last], undefined])}
          >
            {words.removeGroup(groups[last]?.name ?? '')}
          </Button>
        )}
        {!isOnly && (
          <Button variant="subtle" color="gray" size="compact-sm" onClick={() => edit([path, undefined])}>
            {words.removeStage(number)}
          </Button>
        )}
      </div>
    </fieldset>
  );
}

/** A second group needs names for both, so what the stage said of its one group moves into the first. */
function addGroup({ path, groups, isShort, name }: StagePart): Edit[] {
  const added = { name: words.newGroup(groups.length + 1), approvers: 'anyone' };
  if (!isShort) return [[[...path, 'groups', groups.length], added]];
  const [only] = groups;
  const first = {
    name: name || words.newGroup(1),
    ...(only?.approve && { approve: asCount(only.approve) }),
    ...(only?.deny && { deny: asCount(only.deny) }),
    approvers: writeSources(only?.approvers ?? []),
  };
  const moved = (['approve', 'deny', 'approvers'] as const).map((part): Edit => [[...path, part], undefined]);
  return [
    [
      [...path, 'groups'],
      [first, added],
    ],
    ...moved,
  ];
}

const asCount = (text: string): string | number => (/^\d+$/.test(text) ? Number(text) : text);
