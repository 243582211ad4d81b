/** Every kind of field an MCP form can have. */
export const everyField = {
  type: 'object' as const,
  properties: {
    name: { type: 'string' as const, title: 'Name', minLength: 2, maxLength: 40 },
    email: { type: 'string' as const, format: 'email' as const },
    homepage: { type: 'string' as const, format: 'uri' as const },
    born: { type: 'string' as const, format: 'date' as const },
    at: { type: 'string' as const, format: 'date-time' as const },
    count: { type: 'integer' as const, minimum: 1, maximum: 100, default: 42 },
    ratio: { type: 'number' as const, minimum: 0, maximum: 1, default: 0.5 },
    sure: { type: 'boolean' as const, default: false },
    plan: { type: 'string' as const, enum: ['free', 'paid'] },
    tier: {
      type: 'string' as const,
      oneOf: [
        { const: 's', title: 'Small' },
        { const: 'l', title: 'Large' },
      ],
      default: 's',
    },
    pet: { type: 'string' as const, enum: ['c', 'd'], enumNames: ['Cat', 'Dog'] },
    tools: {
      type: 'array' as const,
      minItems: 1,
      maxItems: 2,
      items: { type: 'string' as const, enum: ['saw', 'axe', 'nail'] },
    },
    fish: {
      type: 'array' as const,
      items: {
        anyOf: [
          { const: 'f1', title: 'Tuna' },
          { const: 'f2', title: 'Trout' },
        ],
      },
    },
  },
  required: ['name', 'sure'],
};

export const everyAnswer = {
  name: 'Ada Lovelace',
  email: 'ada@example.com',
  homepage: 'https://example.com/ada',
  born: '1815-12-10',
  at: '2026-03-31T09:30:00Z',
  count: 7,
  ratio: 0.25,
  sure: true,
  plan: 'paid',
  tier: 'l',
  pet: 'd',
  tools: ['saw', 'nail'],
  fish: ['f2'],
};
