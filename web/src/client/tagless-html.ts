// The console's content security policy requires trusted types. React sets the text of Mantine's style elements as HTML;
// nothing else does, and text without a tag makes no element. One script is named: the service worker.
interface Rules {
  createHTML(text: string): string | null;
  createScriptURL(address: string): string | null;
}
const { trustedTypes } = globalThis as { trustedTypes?: { createPolicy(name: string, rules: Rules): unknown } };
trustedTypes?.createPolicy('default', {
  createHTML: (text) => (text.includes('<') ? null : text),
  createScriptURL: (address) => (address === '/service-worker.js' ? address : null),
});

export {};
