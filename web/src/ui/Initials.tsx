import type { CSSProperties } from 'react';
import classes from './Initials.module.css';

/** Two letters of a name, or one for a single word; in scripts without words, the first sign. */
export function initialsOf(name: string): string {
  const words = name.match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}'’]*/gu) ?? [];
  const [first = '?', ...others] = words.map((word) => [...word][0] ?? '');
  return `${first}${others.at(-1) ?? ''}`.toLocaleUpperCase();
}

const hues = 24;

/** Hue in degrees, the same for one id on every page; neighbours in a list of ids differ. */
export function hueOf(id: string): number {
  let hash = 2_166_136_261;
  for (const sign of id) hash = Math.imul(hash ^ (sign.codePointAt(0) ?? 0), 16_777_619);
  return (((hash >>> 0) >>> 8) % hues) * (360 / hues);
}

/** Colour by id, which tells people apart at a glance. The name next to it identifies them. */
export const Initials = ({ id, name }: { id: string; name: string }) => (
  <span
    aria-hidden="true"
    className={classes.initials}
    data-initials={initialsOf(name)}
    style={{ '--hue': hueOf(id) } as CSSProperties}
  />
);
