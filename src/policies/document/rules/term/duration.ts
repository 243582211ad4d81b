import { z } from 'zod';

const units = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
type Unit = keyof typeof units;

/** A duration as it is written, `<n>(s|m|h|d)`, between two others; parsed to milliseconds. */
export function durationSchema(shortest: string, longest: string) {
  const error = `Must be a number followed by s, m, h or d, between ${shortest} and ${longest}.`;
  return z
    .string({ error })
    .regex(/^\d{1,6}[smhd]$/, error)
    .transform(milliseconds)
    .refine((value) => value >= milliseconds(shortest) && value <= milliseconds(longest), { error });
}

const milliseconds = (text: string): number => Number(text.slice(0, -1)) * units[text.at(-1) as Unit];
