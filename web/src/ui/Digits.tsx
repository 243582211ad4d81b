import classes from './Digits.module.css';

/** Shorter ones, such as years, are read as they are. */
const maxUngrouped = 4;

/** A number in triples. They are moved apart by style alone, so that what is copied stays exact. */
export function Digits({ text }: { text: string }) {
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
