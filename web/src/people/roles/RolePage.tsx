import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useNavigate, useParams, Link } from 'react-router';
import { type CustomRole, rolePermissions, roleRoutes } from '#people/roles/contract';
import { call } from '../../client/call.ts';
import { rolesQuery } from '../users/directory-queries.ts';
import { faultIn, fieldFaults } from '../../ui/field-faults.ts';
import { may, type Permission } from './permission-table.ts';
import { useUser } from '../users/use-user.ts';
import { ChangeNotice } from '../changes/ChangeNotice.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { ProblemNotice } from '../../ui/Notice.tsx';
import { MissingPage } from '../../shell/MissingPage.tsx';
import page from '../../ui/Page.module.css';
import { PageHead } from '../../ui/PageHead.tsx';
import { Reason, ReasonedButton } from '../../ui/ReasonedButton.tsx';
import { SavingForm } from '../../settings/SavingForm.tsx';
import classes from '../../settings/Users.module.css';
import { useSave } from '../../settings/use-save.ts';
import { roles as words } from './words/words.ts';
import { TextInput, Checkbox } from '@mantine/core';
import { useDraft } from '../../ui/carried-text.ts';
import { DataTable, type Column } from '../../ui/DataTable.tsx';
import { LoadedList } from '../../ui/LoadedList.tsx';

const back = { to: '/settings/roles', text: words.title };

/** One role of the installation: its permissions, and its removal. */
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
  const save = useSave(
    () => call(roleRoutes.changeRole, { params: { id: role.id }, body: { permissions: chosenAmong(chosen) } }),
    words.saved,
  );
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
    await call(roleRoutes.removeRole, { params: { id: role.id } });
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

interface Draft {
  name: string;
  permissions: string[];
}

const empty: Draft = { name: '', permissions: [] };

/** Form for a new role, for administrators alone. */
function NewRoleForm() {
  const permission = may(useUser(), 'change-directory');
  const [{ name, permissions }, setDraft] = useDraft('new-role', empty);
  const create = useSave(
    () => call(roleRoutes.addRole, { body: { name: name.trim(), permissions: chosenAmong(permissions) } }),
    words.saved,
  );
  const faults = fieldFaults(create.error);
  const id = useId();
  const press = () => create.mutate(undefined, { onSuccess: () => setDraft(empty) });
  if (!permission.allowed) return null;
  return (
    <SavingForm title={words.newTitle} error={create.error} onPress={press}>
      <TextInput
        label={words.name}
        description={words.nameNote}
        value={name}
        error={faults['name']}
        onChange={(event) => setDraft({ name: event.currentTarget.value, permissions })}
        autoComplete="off"
        spellCheck={false}
      />
      <PermissionChoice
        chosen={permissions}
        fault={faultIn(faults, 'permissions')}
        onChange={(chosen) => setDraft({ name, permissions: chosen })}
      />
      <div className={page.actions}>
        <ReasonedButton permission={permission} reasonId={id} isSending={create.isPending} onPress={press}>
          {words.create}
        </ReasonedButton>
      </div>
    </SavingForm>
  );
}

interface PermissionChoiceProps {
  chosen: string[];
  fault: string | undefined;
  isOff?: boolean;
  onChange: (chosen: string[]) => void;
}

/** Permissions of a role. */
const PermissionChoice = ({ chosen, fault, isOff = false, onChange }: PermissionChoiceProps) => (
  <Checkbox.Group label={words.permissions} value={chosen} error={fault} onChange={onChange}>
    {rolePermissions.map((permission) => (
      <Checkbox key={permission} value={permission} label={words.permission(permission)} disabled={isOff} mt="xs" />
    ))}
  </Checkbox.Group>
);

/** Permissions in the order of the table, as they are sent. */
const chosenAmong = (chosen: readonly string[]) => rolePermissions.filter((permission) => chosen.includes(permission));

/** Roles made by the installation. */
export const RolesPage = () => (
  <div className={page.stack}>
    <PageHead title={words.title} lead={words.lead} />
    <LoadedList query={useQuery(rolesQuery)} words={words}>
      {(roles) => <DataTable caption={words.title} columns={columns} rows={roles} keyOf={({ id }) => id} />}
    </LoadedList>
    <NewRoleForm />
  </div>
);

const columns: Column<CustomRole>[] = [
  { head: words.name, isName: true, cell: ({ id, name }) => <Link to={`/settings/roles/${id}`}>{name}</Link> },
  { head: words.permissions, cell: ({ permissions }) => permissions.map(words.permission).join('; ') },
  { head: words.people, isNumber: true, cell: ({ people }) => people },
];

// One file: on a slow network every file costs.
