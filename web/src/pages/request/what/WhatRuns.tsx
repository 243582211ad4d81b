import type { ElicitationDetail } from '#protocol/contract/console/console';
import { Revealed } from '../../../ui/Revealed.tsx';
import { ArgumentList } from './ArgumentList.tsx';
import { EditArguments } from './EditArguments.tsx';
import { Revisions } from './Revisions.tsx';
import { Section } from '../form/Section.tsx';
import { SinceApproved } from './SinceApproved.tsx';
import { UrlBlock } from './UrlBlock.tsx';
import type { DecisionState } from '../state/use-decision.ts';
import type { Reading } from '../state/use-reading.ts';
import classes from './WhatRuns.module.css';
import { what } from '../words/words.ts';

interface WhatRunsProps {
  detail: ElicitationDetail;
  reading: Reading;
  decision: DecisionState;
}

export function WhatRuns({ detail, reading, decision }: WhatRunsProps) {
  return (
    <Section title={what.title}>
      <p className={classes.call}>
        <code className={classes.name}>
          <Revealed text={detail.tool.name} />
        </code>{' '}
        <span className={classes.soft}>{what.on}</span> <Revealed text={detail.server} />
      </p>
      <div className={classes.sheet}>
        <h3 className={classes.caption}>{what.arguments}</h3>
        <ArgumentList json={detail.arguments} keyOrders={detail.keyOrders} reading={reading} />
      </div>
      <SinceApproved detail={detail} />
      <Revisions revisions={detail.revisions} />
      <EditArguments detail={detail} reading={reading} decision={decision} />
      {detail.url !== null && <UrlBlock url={detail.url} />}
    </Section>
  );
}
