import type { Response } from 'express';

/** Ends an answer with this text. Node sends it with the headers in one piece, which Express does not. */
export function sendText(response: Response, type: string, text: string): void {
  response.setHeader('content-type', type);
  response.setHeader('content-length', Buffer.byteLength(text));
  response.end(text);
}
