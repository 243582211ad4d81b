import path from 'node:path';

/** Where hooks keep the ids of the requests that they wait for, in Assentry's own directory. */
export const racedCallsIn = (directory: string): string => path.join(directory, 'raced-calls');
