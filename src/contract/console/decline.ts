export const declineComment = 'Needed to decline: it tells the requester what to change.';

/** In the words of JSON Schema, for readers of the OpenAPI document; the verb holds it. */
export const declineNeedsComment = {
  if: { properties: { action: { const: 'decline' } } },
  // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
  then: { properties: { comment: { minLength: 1 } }, required: ['comment'] },
};
