import { TextInput } from '@mantine/core';
import { useState } from 'react';
import type { KeyEntry } from '#access/keys/contract/key';
import { isWaiting } from '../../../people/changes/changes.ts';
import { changeKey } from '../keys.ts';
import { commaList } from '../../../ui/comma-list.ts';
import { faultIn, fieldFaults } from '../../../ui/field-faults.ts';
import { ChangeNotice } from '../../../people/changes/ChangeNotice.tsx';
import { ProblemNotice } from '../../../ui/Notice/Notice.tsx';
import { allowed, ReasonedButton } from '../../../ui/ReasonedButton/ReasonedButton.tsx';
import unseen from '../../../shell/Unseen.module.css';
import classes from '../../../settings/Users.module.css';
import { useSave } from '../../../settings/use-save.ts';
import { keys as words } from '../../../settings/words/words.ts';

/** Where an existing key works. */
export function KeyNetworks({ entry: { kid, networks }, onDone }: { entry: KeyEntry; onDone: () => void }) {
  const [text, setText] = useState(networks.join(', '));
  const save = useSave(() => changeKey(kid, commaList(text)));
  const fault = faultIn(fieldFaults(save.error), 'networks');
  const press = () => save.mutate(undefined, { onSuccess: (change) => isWaiting(change) || onDone() });
  return (
    <div className={classes.steps}>
      <ChangeNotice change={save.data} />
      {save.isError && fault === undefined && <ProblemNotice error={save.error} />}
      <TextInput
        label={words.networksOf(kid)}
        description={words.forNetworksNote}
        value={text}
        error={fault}
        onChange={(event) => setText(event.currentTarget.value)}
        autoComplete="off"
      />
      <ReasonedButton {...allowed} isQuiet isSending={save.isPending} onPress={press}>
        {words.saveNetworks} <span className={unseen.unseen}>{kid}</span>
      </ReasonedButton>
      <ReasonedButton {...allowed} isQuiet onPress={onDone}>
        {words.keep} <span className={unseen.unseen}>{kid}</span>
      </ReasonedButton>
    </div>
  );
}
