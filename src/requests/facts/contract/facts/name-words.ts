/** The words of a field's name, in lower case: `amountInCents`, `amount_in_cents` and `Amount in cents` have the same. */
export const nameWords = (name: string): string[] =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/);
