import { Navigate } from 'react-router';
import { may, type Permission, type RoleHolder } from '#people/directory/contract/permission';
import { useUser } from '../../people/users/use-user.ts';

/** Leads each person to where their work is: reviewers decide nothing, so theirs is what was decided. */
export const FirstPage = () => <Navigate to={workOf(useUser() ?? { role: 'approver' })} replace />;

const works: [Permission, string][] = [
  ['decide', '/inbox'],
  ['write-policies', '/policies'],
  ['watch-requests', '/history'],
  ['read-log', '/audit'],
];

const workOf = (user: RoleHolder): string =>
  works.find(([permission]) => may(user, permission))?.[1] ?? '/settings/servers';
