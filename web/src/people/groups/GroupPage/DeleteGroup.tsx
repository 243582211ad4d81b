import { Button } from '@mantine/core';
import { useId, useState } from 'react';
import { useNavigate } from 'react-router';
import type { Permission } from '../../roles/permission-table.ts';
import type { Group } from '#people/users/contract';
import { deleteGroup } from '../../users/directory.ts';
import { ProblemNotice } from '../../../ui/Notice/Notice.tsx';
import page from '../../../ui/Page.module.css';
import { Reason, ReasonedButton } from '../../../ui/ReasonedButton/ReasonedButton.tsx';
import classes from '../../../settings/Users.module.css';
import { useEscape } from '../../../settings/use-escape.ts';
import { useSave } from '../../../settings/use-save.ts';
import { groups as words } from '../../../settings/words/words.ts';

/** What it does is said before; a second button, in the page, does it. */
export function DeleteGroup({ group, permission }: { group: Group; permission: Permission }) {
  const [isAsked, setIsAsked] = useState(false);
  useEscape(isAsked, () => setIsAsked(false));
  const navigate = useNavigate();
  const id = useId();
  const remove = useSave(async () => {
    await deleteGroup(group.id);
    await navigate('/settings/groups');
  });
  return (
    <section className={classes.part}>
      <h2 className={page.subtitle}>{words.deleteTitle}</h2>
      {remove.isError && <ProblemNotice error={remove.error} />}
      <p className={page.soft}>{words.deleteNote}</p>
      <div className={page.actions}>
        {isAsked ? (
          <>
            <ReasonedButton
              permission={permission}
              reasonId={id}
              isSending={remove.isPending}
              onPress={() => remove.mutate()}
            >
              {words.confirm(group.name)}
            </ReasonedButton>
            <Button variant="subtle" color="gray" onClick={() => setIsAsked(false)}>
              {words.keep}
            </Button>
          </>
        ) : (
          <ReasonedButton permission={permission} reasonId={id} onPress={() => setIsAsked(true)}>
            {words.delete}
          </ReasonedButton>
        )}
      </div>
      <Reason id={id} permission={permission} />
    </section>
  );
}
