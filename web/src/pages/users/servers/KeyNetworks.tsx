import { TextInput } from '@mantine/core';
import { useState } from 'react';
import type { KeyEntry } from '#protocol/contract/users/key';
import { isWaiting } from '../../../api/changes.ts';
import { changeKey } from '../../../api/keys.ts';
import { commaList } from '../../../lib/comma-list.ts';
import { faultIn, fieldFaults } from '../../../lib/field-faults.ts';
import { ChangeNotice } from '../../../ui/ChangeNotice.tsx';
import { ProblemNotice } from '../../../ui/Notice.tsx';
import { allowed, ReasonedButton } from '../../../ui/ReasonedButton.tsx';
import unseen from '../../../ui/Unseen.module.css';
import classes from '../Users.module.css';
import { useSave } from '../use-save.ts';
import { keys as words } from '../words/words.ts';

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
