import { useId, type ReactNode } from 'react';
import { may } from '../people/roles/permission-table.ts';
import { useUser } from '../people/users/use-user.ts';
import page from '../ui/Page.module.css';
import { PageHead } from '../ui/PageHead.tsx';
import { Reason } from '../ui/ReasonedButton.tsx';

/** Page for those who operate the installation; others read why it shows nothing. */
export function OperatorsPage({ title, lead, children }: { title: string; lead: string; children: ReactNode }) {
  const permission = may(useUser(), 'change-webhooks');
  const id = useId();
  return (
    <div className={page.stack}>
      <PageHead title={title} lead={lead} />
      <Reason id={id} permission={permission} />
      {permission.allowed && children}
    </div>
  );
}
