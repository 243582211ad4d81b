import { machineShape } from '#core/machine/shape';

let cachedShape: ReturnType<typeof machineShape> | undefined;

/** The statechart as this process runs it; it does not change while the process runs. */
export const showMachine = () => (cachedShape ??= machineShape());
