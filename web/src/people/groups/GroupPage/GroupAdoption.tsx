import { useId } from 'react';
import type { Group } from '#people/users/contract';
import { adoptGroup } from '../../users/directory.ts';
import type { Permission } from '../../roles/permission-table.ts';
import { ChangeNotice } from '../../changes/ChangeNotice.tsx';
import { Notice, ProblemNotice } from '../../../ui/Notice/Notice.tsx';
import page from '../../../ui/Page.module.css';
import { Reason, ReasonedButton } from '../../../ui/ReasonedButton/ReasonedButton.tsx';
import { Revealed } from '../../../ui/Revealed/Revealed.tsx';
import { useSave } from '../../../settings/use-save.ts';
import { groups as words } from '../../../settings/words/words.ts';

/** Whether a group that an identity provider made counts in policies. */
export function GroupAdoption({ group, permission }: { group: Group; permission: Permission }) {
  const id = useId();
  const save = useSave((adopted: boolean) => adoptGroup(group.id, { adopted }));
  if (group.provisioned === null) return null;
  const { issuer, isAdopted } = group.provisioned;
  return (
    <section className={page.form}>
      <h2 className={page.subtitle}>{words.providedTitle}</h2>
      {save.isError && <ProblemNotice error={save.error} />}
      <ChangeNotice change={save.data} />
      {isAdopted ? (
        <p>
          <Revealed text={words.adopted(issuer)} />
        </p>
      ) : (
        <Notice tone="warn" title={words.unadoptedMark}>
          <Revealed text={words.unadopted(issuer)} />
        </Notice>
      )}
      <div className={page.actions}>
        <ReasonedButton
          permission={permission}
          reasonId={id}
          isSending={save.isPending}
          onPress={() => save.mutate(!isAdopted)}
        >
          {isAdopted ? words.endAdoption : words.adopt}
        </ReasonedButton>
      </div>
      <Reason id={id} permission={permission} />
    </section>
  );
}
