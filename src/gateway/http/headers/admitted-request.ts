import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Asking } from './conversations.ts';

/** One request of a client, by someone who was let in. Its headers name the session as the upstream does. */
export interface AdmittedRequest extends Asking {
  request: IncomingMessage;
  response: ServerResponse;
}
