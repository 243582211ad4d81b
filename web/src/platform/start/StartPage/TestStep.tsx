import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { sendTestRequest } from '../../../requests/inbox/test-request.ts';
import { keysQuery } from '../../../people/users/directory-queries.ts';
import { ProblemNotice } from '../../../ui/Notice/Notice.tsx';
import { StatusMark } from '../../../ui/marks.tsx';
import { useChange } from '../../../people/changes/use-change.ts';
import page from '../../../ui/Page.module.css';
import { hasKey, testRequestQuery } from './start-queries.ts';
import { Step } from './Step.tsx';
import { test as words } from '../words/words.ts';

/** A real request that people decide, before any server of their own is there. */
export function TestStep({ place }: { place: number }) {
  const isNext = hasKey(useQuery(keysQuery).data ?? []);
  const send = useChange(sendTestRequest, { queries: [['inbox']] });
  return (
    <Step
      place={place}
      words={words}
      query={useQuery(testRequestQuery)}
      isDone={(request) => request !== null && request.closedAt !== null}
    >
      {(request) => (
        <>
          {send.isError && <ProblemNotice error={send.error} />}
          <div className={page.actions}>
            {request !== null && (
              <>
                <StatusMark {...request} />
                <Link to={`/requests/${request.id}`} className={page.action}>
                  {words.open}
                </Link>
              </>
            )}
            {request?.closedAt !== null && (
              <Button
                variant={request === null && isNext ? 'filled' : 'default'}
                loading={send.isPending}
                onClick={() => send.mutate()}
              >
                {request === null ? words.send : words.again}
              </Button>
            )}
          </div>
        </>
      )}
    </Step>
  );
}
