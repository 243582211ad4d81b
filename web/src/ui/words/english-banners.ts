import { formatsIn } from '#platform/text/formats';

const { count, number } = formatsIn('en');

export interface StopFacts {
  server: string | null;
  tool: string | null;
  by: string | null;
  reason: string;
}

/** Of what the kill switch has stopped. */
export const stopped = {
  banner: ({ server, tool, by, reason }: StopFacts) =>
    `${[tool, server].filter((name) => name !== null).join(' of ') || 'Everything'} is stopped by ${by ?? 'the operator'}: ${reason}`,
  look: 'Kill switch',
  more: (more: number) => `${count(more, { one: 'more stop', other: 'more stops' })} in force`,
};

export const breakGlass = {
  used: (requests: number) =>
    `${count(requests, { one: 'request was', other: 'requests were' })} approved by emergency override and ${requests === 1 ? 'needs' : 'need'} a review.`,
  look: 'Review',
};

/** What waits for the person, counted in the line of places. */
export const due = {
  reviews: (versions: number) => `${number(versions)} to review`,
  groups: (groups: number) => (groups === 1 ? '1 group to confirm' : `${number(groups)} groups to confirm`),
};

/** Of what is wrong with the installation. */
export const system = { look: 'What to do' };
