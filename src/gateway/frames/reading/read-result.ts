import { isObject, rpcCodes, RpcFault, type Frame, type RpcError } from '../frame/frame.ts';

/** The result in an answer; throws the error that is in it instead. */
export function resultIn({ result, error }: Frame): unknown {
  if (error !== undefined) throw new RpcFault(readError(error));
  return result;
}

/** The error of an answer, with what every error has. */
export function readError(error: unknown): RpcError {
  const { code, message, ...more } = isObject(error) ? error : {};
  return {
    ...more,
    code: typeof code === 'number' ? code : rpcCodes.internal,
    message: typeof message === 'string' ? message : '',
  };
}
