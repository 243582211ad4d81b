import type { ReactNode } from 'react';
import { BackLink } from './BackLink.tsx';
import page from './Page.module.css';
import { PageHeading } from './PageHeading.tsx';

interface PageHeadProps {
  /** Title of the browser's tab, and of the page if no heading is given. */
  title: string;
  heading?: ReactNode;
  lead?: ReactNode;
  /** List that contains this page's subject. */
  back?: { to: string; text: string };
  action?: ReactNode;
}

/** Top of a page: link back, title, purpose, and first action. */
export function PageHead({ title, heading = title, lead, back, action }: PageHeadProps) {
  return (
    <header>
      {back && <BackLink {...back} />}
      <div className={page.top}>
        <PageHeading title={title} className={back ? page.name : page.title}>
          {heading}
        </PageHeading>
        {action}
      </div>
      {lead && <p className={page.lead}>{lead}</p>}
    </header>
  );
}
