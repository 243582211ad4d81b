import type { ReactNode } from 'react';
import { BackLink } from './BackLink.tsx';
import page from './Page.module.css';
import { PageHeading } from './PageHeading.tsx';

interface PageHeadProps {
  /** For the browser's tab, and for the page if no heading is given. */
  title: string;
  heading?: ReactNode;
  lead?: ReactNode;
  /** Where this one thing is listed. */
  back?: { to: string; text: string };
  action?: ReactNode;
}

/** The top of a page: the way back, what it is, what it is for, and what can be begun here. */
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
