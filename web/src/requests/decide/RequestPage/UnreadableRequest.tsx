import { may } from '../../../people/roles/permission-table.ts';
import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from 'react-router';
import { withdrawUnreadable } from '../../inbox/elicitations.ts';
import { useUser } from '../../../people/users/use-user.ts';
import { Notice, ProblemNotice } from '../../../ui/Notice/Notice.tsx';
import { PageHeading } from '../../../ui/PageHeading.tsx';
import { places } from '../../../ui/words/words.ts';
import { words } from '../words/words.ts';

/** In place of a request whose content cannot be read: it says so, and an administrator can end it. */
export function UnreadableRequest({ id, error }: { id: string; error: unknown }) {
  const user = useUser();
  const queries = useQueryClient();
  const withdrawal = useMutation({
    mutationFn: () => withdrawUnreadable(id),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['inbox'] }),
  });
  return (
    <>
      <PageHeading title={words.unreadable}>{words.unreadable}</PageHeading>
      <ProblemNotice error={withdrawal.error ?? error} />
      {withdrawal.isSuccess && <Notice tone="good" title={words.withdrawn} />}
      {may(user, 'tend-requests').allowed && !withdrawal.isSuccess && (
        <>
          <p>{words.withdrawNote}</p>
          <Button variant="default" loading={withdrawal.isPending} onClick={() => withdrawal.mutate()}>
            {words.withdrawUnreadable}
          </Button>
        </>
      )}
      <p>
        <Link to="/inbox">{places.inbox}</Link>
      </p>
    </>
  );
}
