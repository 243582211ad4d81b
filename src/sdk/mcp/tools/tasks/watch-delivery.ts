import type { Delivery } from '../../question/call/delivery.ts';

/** The part of both SDKs' transports that handles responses. */
interface SendingTransport {
  send(message: unknown, options?: unknown): Promise<void>;
}

type RequestId = string | number;

/**
 * Watches the response to one request. The SDKs send it after the handler has returned and tell no one how that went,
 * so the transport's `send` is watched: it rejects if the stream of the request is gone.
 */
export function watchDelivery(
  transport: SendingTransport | undefined,
  { id, signal }: { id: RequestId; signal: AbortSignal },
): Delivery {
  const delivery = new Promise<boolean>((resolve) => {
    if (!transport || signal.aborted) return resolve(false);
    const responses = watchResponses(transport);
    const leave = (): void => {
      responses.delete(id);
      resolve(false);
    };
    responses.set(id, (isTaken) => {
      // A transport for one request closes, and so aborts, as it takes the response.
      signal.removeEventListener('abort', leave);
      resolve(isTaken);
    });
    signal.addEventListener('abort', leave, { once: true });
  });
  return { isTaken: delivery, isConnected: () => transport !== undefined && hasStream(transport, id) };
}

/** The transport of each awaited response. */
type Responses = Map<RequestId, (isTaken: Promise<boolean>) => void>;
const watched = new WeakMap<object, Responses>();

function watchResponses(transport: SendingTransport): Responses {
  const watchedResponses = watched.get(transport);
  if (watchedResponses) return watchedResponses;
  const responses: Responses = new Map();
  const send = transport.send.bind(transport);
  transport.send = (message, options) => {
    const sent = send(message, options);
    if (isResponse(message)) {
      responses.get(message.id)?.(
        sent.then(
          () => true,
          () => false,
        ),
      );
      responses.delete(message.id);
    }
    return sent;
  };
  watched.set(transport, responses);
  return responses;
}

const isResponse = (message: unknown): message is { id: RequestId } =>
  typeof message === 'object' && message !== null && 'id' in message && ('result' in message || 'error' in message);

/** The SDKs' HTTP transports forget a stream whose client has gone; they offer no other way to ask. */
interface HttpStreams {
  _webStandardTransport?: HttpStreams;
  _requestToStreamMapping?: unknown;
  _streamMapping?: unknown;
}

function hasStream(transport: HttpStreams | SendingTransport, id: RequestId): boolean {
  const { _webStandardTransport: inner } = transport as HttpStreams;
  const { _requestToStreamMapping: streams, _streamMapping: open } = inner ?? (transport as HttpStreams);
  if (!(streams instanceof Map) || !(open instanceof Map)) return true;
  const stream: unknown = streams.get(id);
  return stream === undefined || open.has(stream);
}
