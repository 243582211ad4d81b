// The console's content security policy requires trusted types. React sets the text of Mantine's style elements as HTML;
// nothing else does, and text without a tag makes no element.
const { trustedTypes } = globalThis as {
  trustedTypes?: { createPolicy(name: string, rules: { createHTML(text: string): string | null }): unknown };
};
trustedTypes?.createPolicy('default', { createHTML: (text) => (text.includes('<') ? null : text) });

export {};
