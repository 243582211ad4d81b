/**
 * Allows the reading tools of the servers of tests by name: a policy that names a tool goes by its hints, whether anyone has
 * accepted its definition or not.
 */
export const readingPolicy = `policy: reading
match: { tool: [read_note, count_notes, find_note, read_salary, echo], annotations: { readOnlyHint: true } }
allow: { ceiling: low }
`;
