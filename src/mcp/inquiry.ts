import type { ElicitationState } from '../client/client.ts';

/** What an approver asks the requester before deciding. */
export type Inquiry = NonNullable<ElicitationState['inquiry']>;

/** What the requester reads: who asks, about which question, and what. */
export const messageOfInquiry = ({ by, message }: Inquiry, about: string): string =>
  `${nameOf(by)} is to approve "${about}" and asks you:\n${message}`;

/** What the model reads where its client cannot be asked. */
export const sentenceOfInquiry = ({ by, message }: Inquiry): string =>
  `${nameOf(by)} is to approve it and asks the person you work for: "${message}"`;

const nameOf = (by: string): string => by || 'Somebody';
