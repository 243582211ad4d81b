import { describeUrl } from '../words/url-facts/url-facts.ts';
import { Triangle } from '../../../ui/icons.tsx';
import { urlPart } from '../use-answer/parts-to-see.ts';
import { PartEnd, partStart } from '../DecisionCard/PartEnd.tsx';
import { Revealed } from '../../../ui/Revealed/Revealed.tsx';
import classes from '../WhatRuns.module.css';
import { url as words } from '../words/words.ts';

/** An address as text: never a link, never fetched. */
export function UrlBlock({ url }: { url: string }) {
  const { host, warnings } = describeUrl(url);
  return (
    <div className={classes.sheet} {...partStart(urlPart)}>
      <h3 className={classes.caption}>{words.title}</h3>
      <p className={classes.host}>{host === null ? words.none : <Revealed text={host} />}</p>
      <p className={classes.whole}>
        <Revealed text={url} />
      </p>
      <PartEnd of={urlPart} />
      {warnings.length > 0 && (
        <ul className={classes.warnings}>
          {warnings.map((warning) => (
            <li key={warning} className={classes.warning}>
              <Triangle />
              {words.warnings[warning]}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
