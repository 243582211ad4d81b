import { useQuery } from '@tanstack/react-query';
import { useParams, useSearchParams } from 'react-router';
import { versionQuery } from '../../lib/policy-queries.ts';
import { Loaded } from '../../ui/Loaded.tsx';
import { DraftPage } from './DraftPage.tsx';
import { draft as words } from './words.ts';

/** A draft is written anew; any other version is where a new draft begins. */
export function EditPolicyPage() {
  const { name = '' } = useParams();
  const version = Number(useSearchParams()[0].get('version'));
  // Read once: what somebody else saves meanwhile must not replace what is being written here.
  const query = useQuery({ ...versionQuery({ name, version }), staleTime: Infinity, refetchOnMount: 'always' });
  return (
    <Loaded query={query}>
      {(detail) => (
        <DraftPage
          key={`${name} ${version}`}
          title={detail.can.edit.allowed ? words.editTitle(name, version) : words.changeTitle(name)}
          back={`/policies/${name}?version=${version}`}
          document={detail.document}
          note={detail.can.edit.allowed ? detail.note : ''}
          {...(detail.can.edit.allowed && { version })}
        />
      )}
    </Loaded>
  );
}
