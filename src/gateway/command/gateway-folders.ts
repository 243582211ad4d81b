import path from 'node:path';

/** The folder of the data directory with the accepted definitions of tools. */
export const pinsIn = (directory: string): string => path.join(directory, 'gateway', 'pins');

/** The folder of the data directory with the key of each server that is wrapped here. */
export const keysIn = (directory: string): string => path.join(directory, 'gateway', 'keys');
