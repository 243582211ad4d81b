import { Revealed } from '../../../ui/Revealed/Revealed.tsx';
import { ArgumentList } from './ArgumentList.tsx';
import { EditArguments } from './EditArguments.tsx';
import { PartEnd, partStart } from '../DecisionCard/PartEnd.tsx';
import { Revisions } from './Revisions.tsx';
import { Section } from '../Section.tsx';
import { SinceApproved } from './SinceApproved.tsx';
import { UrlBlock } from './UrlBlock.tsx';
import { reachesPart } from '../use-answer/parts-to-see.ts';
import type { RequestPartProps } from '../MoreSteps/request-part-props.ts';
import classes from '../WhatRuns.module.css';
import { what } from '../words/words.ts';

export function WhatRuns({ detail, reading, decision }: RequestPartProps) {
  return (
    <Section title={what.title}>
      <p className={classes.call}>
        <code className={classes.name}>
          <Revealed text={detail.tool.name} />
        </code>{' '}
        <span className={classes.soft}>{what.on}</span> <Revealed text={detail.server} />
      </p>
      {detail.tool.reaches !== null && (
        <div {...partStart(reachesPart)}>
          <h3 className={classes.caption}>{what.reaches}</h3>
          <p className={classes.whole}>
            <Revealed text={detail.tool.reaches} />
          </p>
          <PartEnd of={reachesPart} />
        </div>
      )}
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
