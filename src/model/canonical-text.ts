import canonicalize from 'canonicalize';

/** The RFC 8785 text of a value that JSON can carry. */
// The package is CommonJS whose module is the function itself; its type declaration claims a default export.
export const canonicalText = canonicalize as unknown as (value: unknown) => string;
