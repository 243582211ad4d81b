import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useNavigate, useParams } from 'react-router';
import type { CustomRole } from '#people/roles/contract';
import { changeRole, removeRole } from '../roles/roles.ts';
import { faultIn, fieldFaults } from '../../../ui/field-faults.ts';
import { may, type Permission } from '../permission-table.ts';
import { useUser } from '../../users/use-user.ts';
import { ChangeNotice } from '../../changes/ChangeNotice.tsx';
import { Loaded } from '../../../ui/Loaded.tsx';
import { ProblemNotice } from '../../../ui/Notice/Notice.tsx';
import { MissingPage } from '../../../shell/MissingPage.tsx';
import page from '../../../ui/Page.module.css';
import { PageHead } from '../../../ui/PageHead.tsx';
import { Reason, ReasonedButton } from '../../../ui/ReasonedButton/ReasonedButton.tsx';
import { SavingForm } from '../../../settings/SavingForm.tsx';
import classes from '../../../settings/Users.module.css';
import { useSave } from '../../../settings/use-save.ts';
import { chosenAmong, PermissionChoice } from './PermissionChoice.tsx';
import { rolesQuery } from '../roles/roles-query.ts';
import { roles as words } from '../words/words.ts';

const back = { to: '/settings/roles', text: words.title };

/** One role of the installation: what it permits, and its end. */
export function RolePage() {
  const { id } = useParams();
  const permission = may(useUser(), 'change-directory');
  return (
    <Loaded query={useQuery(rolesQuery)}>
      {(roles) => {
        const role = roles.find((candidate) => candidate.id === id);
        if (role === undefined) return <MissingPage words={words} back={back} />;
        return (
          <div key={role.id} className={page.stack}>
            <PageHead title={role.name} lead={words.count(role.people)} back={back} />
            <RoleForm role={role} permission={permission} />
            <RemoveRole role={role} permission={permission} />
          </div>
        );
      }}
    </Loaded>
  );
}

interface RolePartProps {
  role: CustomRole;
  permission: Permission;
}

function RoleForm({ role, permission }: RolePartProps) {
  const [chosen, setChosen] = useState(role.permissions);
  const save = useSave(() => changeRole(role.id, { permissions: chosenAmong(chosen) }), words.saved);
  const id = useId();
  const press = () => save.mutate(undefined);
  return (
    <SavingForm error={save.error} onPress={press}>
      <ChangeNotice change={save.data} />
      <PermissionChoice
        chosen={chosen}
        fault={faultIn(fieldFaults(save.error), 'permissions')}
        onChange={setChosen}
        isOff={!permission.allowed}
      />
      <p className={page.soft}>{words.editNote}</p>
      <div className={page.actions}>
        <ReasonedButton permission={permission} reasonId={id} isSending={save.isPending} onPress={press}>
          {words.save}
        </ReasonedButton>
      </div>
      <Reason id={id} permission={permission} />
    </SavingForm>
  );
}

function RemoveRole({ role, permission }: RolePartProps) {
  const navigate = useNavigate();
  const id = useId();
  const remove = useSave(async () => {
    await removeRole(role.id);
    await navigate('/settings/roles');
  }, words.removed);
  return (
    <section className={classes.part}>
      <h2 className={page.subtitle}>{words.remove}</h2>
      {remove.isError && <ProblemNotice error={remove.error} />}
      <p className={page.soft}>{words.removeNote}</p>
      <div className={page.actions}>
        <ReasonedButton
          permission={permission}
          reasonId={id}
          isQuiet
          isSending={remove.isPending}
          onPress={() => remove.mutate()}
        >
          {words.removeNow(role.name)}
        </ReasonedButton>
      </div>
    </section>
  );
}
