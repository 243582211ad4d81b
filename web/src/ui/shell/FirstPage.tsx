import { Navigate } from 'react-router';
import type { Role } from '../../../../src/model/user.ts';
import { useUser } from '../../lib/use-user.ts';

/** Leads each person to where their work is: reviewers decide nothing, so theirs is what was decided. */
export const FirstPage = () => <Navigate to={workOf[useUser()?.role ?? 'approver']} replace />;

const workOf: Record<Role, string> = {
  admin: '/inbox',
  'policy-author': '/policies',
  operator: '/settings/servers',
  approver: '/inbox',
  reviewer: '/history',
};
