import { Triangle } from '../../../ui/icons.tsx';
import { what } from '../words/words.ts';
import { deceptionsIn } from '../words/url-facts/url-facts.ts';
import classes from '../WhatRuns.module.css';

/** What makes the address in an argument look like another one. */
export function UrlWarnings({ text }: { text: string }) {
  const warnings = deceptionsIn(text);
  if (warnings.length === 0) return null;
  return (
    <span className={classes.warnings} data-note="">
      {warnings.map((warning) => (
        <span key={warning.is} className={classes.warning}>
          <Triangle />
          {warning.is === 'number-host' ? what.numberHost(warning.host) : what.warnings[warning.is]}
        </span>
      ))}
    </span>
  );
}
