import { useQuery } from '@tanstack/react-query';
import type { ShownProof } from '#audit/search/contract';
import { auditRoutes } from '#audit/search/contract';
import { query } from '../../client/call.ts';
import { describeMoment } from '../../ui/relative-time.ts';
import { Loaded } from '../../ui/Loaded.tsx';
import { Notice } from '../../ui/Notice.tsx';
import page from '../../ui/Page.module.css';
import { proof as words } from './words/words.ts';

/** How far and when the nodes have verified the log and witnesses have seen it. */
export function ProofNotice() {
  const proof = useQuery({ ...query(auditRoutes.showProof), refetchInterval: 60_000 });
  return (
    <Loaded query={proof}>
      {({ proof, witnesses, disagreeing }) => (
        <>
          <Verified proof={proof} />
          {witnesses.map(({ name, size, at }) => (
            <p className={page.small} key={name}>
              {size === null || at === null ? words.unseen(name) : words.witnessed(name, size, describeMoment(at))}
            </p>
          ))}
          {disagreeing.length > 0 && (
            <Notice tone="danger" title={words.disagrees(disagreeing)}>
              <p>{words.disagreesNote}</p>
            </Notice>
          )}
        </>
      )}
    </Loaded>
  );
}

function Verified({ proof }: Pick<ShownProof, 'proof'>) {
  if (proof === null) return <p className={page.small}>{words.none}</p>;
  const when = describeMoment(proof.at);
  return proof.isWhole ? (
    <Notice tone="good" title={words.upTo(proof.size, when)} />
  ) : (
    <Notice tone="danger" title={words.changed}>
      <p>{words.changedNote}</p>
      <p>{words.found(when)}</p>
    </Notice>
  );
}
