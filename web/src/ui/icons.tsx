import type { ReactNode } from 'react';

/** Shapes next to a word, never in place of it. */
const Icon = ({ children }: { children: ReactNode }) => (
  <svg width="12" height="12" viewBox="0 0 12 12" aria-hidden="true" focusable="false" fill="currentColor">
    {children}
  </svg>
);

const line = { fill: 'none', stroke: 'currentColor', strokeWidth: 1.75 } as const;

export const Triangle = () => <Icon children={<path d="M6 .8 11.6 11H.4z" />} />;
export const Diamond = () => <Icon children={<path d="M6 .5 11.5 6 6 11.5.5 6z" />} />;
export const Ring = () => <Icon children={<circle cx="6" cy="6" r="4.4" {...line} />} />;
export const Disc = () => <Icon children={<circle cx="6" cy="6" r="5" />} />;
export const Tick = () => <Icon children={<path d="M1.5 6.4 4.6 9.5l6-7" {...line} />} />;
export const Cross = () => <Icon children={<path d="m2 2 8 8m0-8-8 8" {...line} />} />;
export const Stop = () => (
  <Icon>
    <circle cx="6" cy="6" r="4.9" {...line} />
    <path d="m2.6 2.6 6.8 6.8" {...line} />
  </Icon>
);
export const Clock = () => (
  <Icon>
    <circle cx="6" cy="6" r="4.9" {...line} />
    <path d="M6 3v3.2l2.2 1.4" {...line} />
  </Icon>
);
export const Glass = () => (
  <Icon>
    <circle cx="5" cy="5" r="3.6" {...line} />
    <path d="m7.8 7.8 3.6 3.6" {...line} />
  </Icon>
);
export const Dashes = () => <Icon children={<circle cx="6" cy="6" r="4.6" {...line} strokeDasharray="2.2 2.2" />} />;
