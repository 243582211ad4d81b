import type { ElicitationDetail } from '../../../../src/contract/console.ts';
import { Revealed } from '../../ui/Revealed.tsx';
import { ArgumentList } from './ArgumentList.tsx';
import { Section } from './Section.tsx';
import { UrlBlock } from './UrlBlock.tsx';
import type { Reading } from './use-reading.ts';
import classes from './WhatRuns.module.css';
import { what } from './words.ts';

export function WhatRuns({ detail, reading }: { detail: ElicitationDetail; reading: Reading }) {
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
        <ArgumentList json={detail.arguments} reading={reading} />
      </div>
      {detail.url !== null && <UrlBlock url={detail.url} />}
    </Section>
  );
}
