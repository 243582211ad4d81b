export type { CallSignal as RowSignal } from '#protocol/contract/console/signal';
