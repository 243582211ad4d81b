import { Button } from '@mantine/core';
import { useState } from 'react';
import type { ElicitationDetail } from '#requests/inbox/contract/inbox';
import { ownServer } from '#platform/model/names';
import { may } from '../../../people/roles/permission-table.ts';
import { useUser } from '../../../people/users/use-user.ts';
import { CopyButton } from '../../../ui/CopyButton.tsx';
import { Revealed } from '../../../ui/Revealed/Revealed.tsx';
import { Section } from '../Section.tsx';
import { always as words } from '../words/later-words/later-words.ts';
import classes from '../Always.module.css';
import { AlwaysForm } from './AlwaysForm.tsx';

const anchor = 'always';

/** A narrow rule for the next calls like this one: for administrators to make, and for approvers to ask for. */
export function AlwaysSection({ detail }: { detail: ElicitationDetail }) {
  const user = useUser();
  const [isOpen, setIsOpen] = useState(window.location.hash === `#${anchor}`);
  const isForOne = detail.mode === 'url' || detail.server === ownServer.name || detail.audience !== 'approvers';
  if (isForOne || !may(user, 'decide').allowed) return null;
  return (
    <div id={anchor}>
      <Section title={words.title}>
        {!may(user, 'publish-policies').allowed ? (
          <AskAdministrator id={detail.id} />
        ) : isOpen ? (
          <AlwaysForm detail={detail} onClose={() => setIsOpen(false)} />
        ) : (
          <>
            <p>{words.lead}</p>
            <div>
              <Button variant="default" onClick={() => setIsOpen(true)}>
                {words.open}
              </Button>
            </div>
          </>
        )}
      </Section>
    </div>
  );
}

function AskAdministrator({ id }: { id: string }) {
  const link = `${window.location.origin}/requests/${id}#${anchor}`;
  return (
    <>
      <p>{words.ask}</p>
      <p className={classes.link}>
        <Revealed text={link} /> <CopyButton text={link} />
      </p>
    </>
  );
}
