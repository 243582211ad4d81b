import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import type { Team } from '../../../../../src/contract/people/people.ts';
import { changeTeam } from '../../../api/directory.ts';
import { teamsQuery } from '../../../lib/directory-queries.ts';
import { may } from '../../../lib/permission-table.ts';
import { usePerson } from '../../../lib/use-person.ts';
import { Loaded } from '../../../ui/Loaded.tsx';
import { MissingPage } from '../../../ui/MissingPage.tsx';
import page from '../../../ui/Page.module.css';
import { PageHead } from '../../../ui/PageHead.tsx';
import { DeleteGroup } from './DeleteGroup.tsx';
import { GroupForm } from './GroupForm.tsx';
import { GroupMembers } from './GroupMembers.tsx';
import { groups as words, words as shared } from '../words.ts';

const back = { to: '/people/groups', text: words.title };

export function GroupPage() {
  const { id } = useParams();
  return (
    <Loaded query={useQuery(teamsQuery)}>
      {(teams) => {
        const team = teams.find((one) => one.id === id);
        return team === undefined ? <MissingPage words={words} back={back} /> : <Known key={team.id} team={team} />;
      }}
    </Loaded>
  );
}

function Known({ team }: { team: Team }) {
  const permission = may(usePerson(), 'change-groups');
  return (
    <div className={page.stack}>
      <PageHead title={team.name} lead={team.description} back={back} />
      <GroupMembers team={team} permission={permission} />
      <GroupForm
        title={words.settings}
        nameNote={words.renameNote}
        submit={shared.save}
        permission={permission}
        group={team}
        send={(group) => changeTeam(team.id, group)}
      />
      <DeleteGroup team={team} permission={permission} />
    </div>
  );
}
