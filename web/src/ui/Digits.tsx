import { formats } from '../language/language.ts';
import classes from './Digits.module.css';
import { digits } from './words/words.ts';

/**
 * Could a reader take this number for one a thousand times as large? JSON writes "1.234" for their "1,234" with a decimal
 * comma.
 */
export const isThousandsLike = (text: string, decimalSeparator: string): boolean =>
  decimalSeparator !== '.' && /^-?\d+\.\d{3}$/.test(text);

/** Longest number without groups, such as a year. */
const maxUngrouped = 4;

const separatorOf = (text: string): string => text.replaceAll(/\d/g, '');

/** A number in JSON's form, with a note on its point for readers who use decimal commas. */
export const Digits = ({ text }: { text: string }) => (
  <>
    <Triples text={text} />
    {isThousandsLike(text, separatorOf(formats.number(1.5))) && (
      <span className={classes.point}> {digits.decimalPoint}</span>
    )}
  </>
);

/** A number in groups of three, spaced by style alone, so that copied text stays exact. */
function Triples({ text }: { text: string }) {
  const [, sign = '', whole = '', rest = ''] = /^(-?)(\d+)(.*)$/s.exec(text) ?? [];
  if (whole.length <= maxUngrouped) return <span className={classes.number}>{text}</span>;
  const triples = whole.match(/\d{1,3}(?=(?:\d{3})*$)/g) ?? [];
  return (
    <span className={classes.number}>
      {sign}
      {triples.map((triple, at) => (
        <span key={at} className={at > 0 ? classes.triple : undefined}>
          {triple}
        </span>
      ))}
      {rest}
    </span>
  );
}
