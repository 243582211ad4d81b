import type { ElicitationState } from '../../../client/client.ts';

/** What an approver asks the requester before deciding. */
export type Inquiry = NonNullable<ElicitationState['inquiry']>;

/** What the requester reads: who asks, about which question, and what. */
export const messageOfInquiry = ({ by, message }: Inquiry, subject: string): string =>
  `${nameOf(by)} must approve "${subject}" and asks you:\n${message}`;

/** What the model reads if its client cannot ask its person. */
export const sentenceOfInquiry = ({ by, message }: Inquiry): string =>
  `${nameOf(by)} must approve it and asks the person you work for: "${message}"`;

/** More inquiries than this are forgotten, oldest first, and may then be shown again. */
const maxKept = 1000;
const ids = new Set<string>();

/** Has a caller of this process already seen it? It does not have to return for it again. */
export const isDelivered = ({ id }: Inquiry): boolean => ids.has(id);

export function markDelivered({ id }: Inquiry): void {
  ids.add(id);
  const [oldest] = ids;
  if (ids.size > maxKept && oldest !== undefined) ids.delete(oldest);
}

const nameOf = (by: string): string => by || 'Someone';
