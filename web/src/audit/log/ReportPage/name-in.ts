/** The name of a person, with their id if another person in the answer has the same name. */
export function nameIn(names: Record<string, string>, id: string): string {
  const name = names[id];
  if (name === undefined) return id;
  const hasNamesake = Object.entries(names).some(([other, same]) => other !== id && same === name);
  return hasNamesake ? `${name} (${id})` : name;
}
