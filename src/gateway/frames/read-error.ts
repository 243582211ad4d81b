import { isObject, rpcCodes, type RpcError } from './frame.ts';

/** The error of an answer, with what every error has. */
export function readError(error: unknown): RpcError {
  const { code, message, ...more } = isObject(error) ? error : {};
  return {
    ...more,
    code: typeof code === 'number' ? code : rpcCodes.internal,
    message: typeof message === 'string' ? message : '',
  };
}
