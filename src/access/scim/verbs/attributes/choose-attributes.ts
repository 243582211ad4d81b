import type { Resource } from './attributes.ts';

/** Names with commas between them. */
export interface Choice {
  attributes?: string | undefined;
  excludedAttributes?: string | undefined;
}

/** These are in every answer. */
const always = ['schemas', 'id', 'meta'];

/** The attributes that the caller asked for; one with parts is given whole. */
export function choose(resource: Resource, { attributes, excludedAttributes }: Choice): Record<string, unknown> {
  const [only, without] = [namesIn(attributes), namesIn(excludedAttributes)];
  return Object.fromEntries(
    Object.entries(resource).filter(([key]) => {
      const name = key.toLowerCase();
      return always.includes(name) || ((!only || only.includes(name)) && !without?.includes(name));
    }),
  );
}

/** Without the URN of a schema, and without what follows a dot. */
const namesIn = (names: string | undefined): string[] | undefined =>
  names
    ?.split(',')
    .map((name) =>
      name
        .trim()
        .replace(/^urn:.*:/i, '')
        .replace(/\..*$/, '')
        .toLowerCase(),
    )
    .filter((name) => name !== '');
