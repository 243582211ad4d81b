import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { isProblemOf } from '../../../client/call-api/api-problem.ts';
import { readRecord } from '../audit.ts';
import { Loaded } from '../../../ui/Loaded.tsx';
import { MissingPage } from '../../../shell/MissingPage.tsx';
import { record as words } from '../words/words.ts';
import { RequestRecord } from './RequestRecord.tsx';

/** Everything the log says about one request. */
export function RecordPage() {
  const { id = '' } = useParams();
  const query = useQuery({ queryKey: ['record', id], queryFn: ({ signal }) => readRecord(id, signal) });
  if (isProblemOf(query.error, 'not-found') || isProblemOf(query.error, 'INVALID_INPUT'))
    return <MissingPage words={words} back={back} />;
  return <Loaded query={query}>{(answer) => <RequestRecord record={answer} />}</Loaded>;
}

const back = { to: '/audit/log', text: words.back };
