/** How large a form may be. Lengths are in characters (code points) unless the name says otherwise. */
export const limits = {
  properties: 50,
  options: 500,
  nameLength: 64,
  titleLength: 200,
  descriptionLength: 2_000,
  optionLength: 500,
  /** Entries of a list of texts in a result. */
  listItems: 500,
  defaultLength: 10_000,
  /** The whole schema as JSON in UTF-8. */
  schemaBytes: 65_536,
  /** The most errors in one report: a hostile input must not make it large. */
  errors: 50,
} as const;
