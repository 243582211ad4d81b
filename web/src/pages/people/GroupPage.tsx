import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'react-router';
import type { Team } from '../../../../src/contract/people.ts';
import { teamsQuery } from '../../lib/directory-queries.ts';
import { may } from '../../lib/permission-table.ts';
import { usePerson } from '../../lib/use-person.ts';
import { Loaded } from '../../ui/Loaded.tsx';
import page from '../../ui/Page.module.css';
import { PageHeading } from '../../ui/PageHeading.tsx';
import { DeleteGroup } from './DeleteGroup.tsx';
import { GroupMembers } from './GroupMembers.tsx';
import { GroupSettings } from './GroupSettings.tsx';
import { groups as words } from './words.ts';

export function GroupPage() {
  const { id } = useParams();
  return (
    <Loaded query={useQuery(teamsQuery)}>
      {(teams) => {
        const team = teams.find((one) => one.id === id);
        return team === undefined ? <Missing /> : <Known key={team.id} team={team} />;
      }}
    </Loaded>
  );
}

function Known({ team }: { team: Team }) {
  const permission = may(usePerson(), 'change-groups');
  return (
    <div className={page.stack}>
      <header>
        <Link to="/people/groups" className={page.back}>
          <span aria-hidden="true">←</span> {words.back}
        </Link>
        <PageHeading title={team.name} className={page.title}>
          {team.name}
        </PageHeading>
        <p className={page.lead}>{team.description}</p>
      </header>
      <GroupMembers team={team} permission={permission} />
      <GroupSettings team={team} permission={permission} />
      <DeleteGroup team={team} permission={permission} />
    </div>
  );
}

function Missing() {
  return (
    <>
      <PageHeading title={words.missing}>{words.missing}</PageHeading>
      <p>{words.missingNote}</p>
      <Link to="/people/groups">{words.back}</Link>
    </>
  );
}
