import { machineShape, type MachineShape } from '#core/machine/shape';

let cachedShape: MachineShape | undefined;

/** The statechart as this process runs it; it does not change while the process runs. */
export const showMachine = (): MachineShape => (cachedShape ??= machineShape());
