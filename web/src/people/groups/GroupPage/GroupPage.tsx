import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import type { Group } from '#people/users/contract';
import { changeGroup } from '../../users/directory.ts';
import { groupsQuery } from '../../users/directory-queries.ts';
import { may } from '../../roles/permission-table.ts';
import { useMayIn } from '../../spaces/spaces/space-permission.ts';
import { useUser } from '../../users/use-user.ts';
import { Loaded } from '../../../ui/Loaded.tsx';
import { MissingPage } from '../../../shell/MissingPage.tsx';
import page from '../../../ui/Page.module.css';
import { PageHead } from '../../../ui/PageHead.tsx';
import { Revealed } from '../../../ui/Revealed/Revealed.tsx';
import { GroupAdoption } from './GroupAdoption.tsx';
import { GroupConfirmation } from './GroupConfirmation.tsx';
import { DeleteGroup } from './DeleteGroup.tsx';
import { GroupForm } from '../GroupForm.tsx';
import { GroupMembers } from './GroupMembers.tsx';
import { groups as words, words as shared } from '../../../settings/words/words.ts';

const back = { to: '/settings/groups', text: words.title };

export function GroupPage() {
  const { id } = useParams();
  return (
    <Loaded query={useQuery(groupsQuery)}>
      {(groups) => {
        const group = groups.find((group) => group.id === id);
        return group === undefined ? <MissingPage words={words} back={back} /> : <Known key={group.id} group={group} />;
      }}
    </Loaded>
  );
}

function Known({ group }: { group: Group }) {
  const permission = may(useUser(), 'change-directory');
  const members = useMayIn('change-space')(group.space);
  return (
    <div className={page.stack}>
      <PageHead
        title={group.name}
        heading={<Revealed text={group.name} />}
        lead={group.description !== '' && <Revealed text={group.description} />}
        back={back}
      />
      <GroupAdoption group={group} permission={permission} />
      <GroupMembers group={group} permission={members} />
      <GroupConfirmation group={group} permission={members} />
      <GroupForm
        title={words.settings}
        nameNote={words.renameNote}
        submit={shared.save}
        permission={permission}
        group={group}
        send={(settings) => changeGroup(group.id, settings)}
      />
      <DeleteGroup group={group} permission={permission} />
    </div>
  );
}
