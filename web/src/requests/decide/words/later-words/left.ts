/** The one thing that stands between this person and their approval, and to which the button leads. */
export type Left =
  | { kind: 'changed' }
  /** No passkey of theirs can sign it. */
  | { kind: 'passkey' }
  | { kind: 'read' }
  | { kind: 'answers'; count: number; first: string; isMissing: boolean }
  | { kind: 'comment' }
  | { kind: 'typed'; text: string };
