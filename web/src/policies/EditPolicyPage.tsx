import { useQuery } from '@tanstack/react-query';
import { Navigate, useParams, useSearchParams } from 'react-router';
import { retiringDocument } from './StageFields.tsx';
import { versionQuery } from './policy-queries.tsx';
import { Loaded } from '../ui/Loaded.tsx';
import { DraftPage } from './DraftPage.tsx';
import { draft as words } from './words/words.ts';

/** An address without a version leads to the policy, where one is chosen. */
export function EditPolicyPage() {
  const { name = '' } = useParams();
  const version = Number(useSearchParams()[0].get('version'));
  if (!Number.isInteger(version) || version < 1) return <Navigate to={`/policies/${name}`} replace />;
  return <Editor name={name} version={version} />;
}

/**
 * Editor of a version. A draft is edited in place; from any other version a new draft begins, or one that retires the policy.
 */
function Editor({ name, version }: { name: string; version: number }) {
  const [search] = useSearchParams();
  // Read once: a version saved by someone else must not replace the text in the editor.
  const query = useQuery({ ...versionQuery({ name, version }), staleTime: Infinity, refetchOnMount: 'always' });
  return (
    <Loaded query={query}>
      {({ can, document, note }) => {
        const back = `/policies/${name}?version=${version}`;
        if (search.has('retire'))
          return (
            <DraftPage
              title={words.retireTitle(name)}
              back={back}
              document={retiringDocument(name, document)}
              note=""
            />
          );
        return (
          <DraftPage
            key={`${name} ${version}`}
            title={can.edit.allowed ? words.editTitle(name, version) : words.changeTitle(name)}
            back={back}
            document={document}
            note={can.edit.allowed ? note : ''}
            {...(can.edit.allowed && { version })}
          />
        );
      }}
    </Loaded>
  );
}
