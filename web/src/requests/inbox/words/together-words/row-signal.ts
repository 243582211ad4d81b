export type { CallSignal as RowSignal } from '#requests/inbox/contract/inbox';
