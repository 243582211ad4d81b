/** The name of each person in these entries, by id: ids are the same text wherever an entry names someone. */
export function namesIn(entries: { body: Uint8Array }[], names: ReadonlyMap<string, string>): Record<string, string> {
  const ids = entries.flatMap(
    ({ body }) =>
      Buffer.from(body)
        .toString('utf8')
        .match(/usr_[\w-]+/g) ?? [],
  );
  return Object.fromEntries([...new Set(ids)].map((id) => [id, names.get(id) ?? id]));
}
