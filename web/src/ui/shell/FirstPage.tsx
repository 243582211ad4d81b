import { Navigate } from 'react-router';
import { useUser } from '../../lib/use-user.ts';

/** Leads each person to where their work is: reviewers decide nothing, so theirs is what was decided. */
export const FirstPage = () => <Navigate to={useUser()?.role === 'reviewer' ? '/history' : '/inbox'} replace />;
