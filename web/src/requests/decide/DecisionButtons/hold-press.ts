/** What is under way on a button that is held, or whose key is pressed twice. */
interface Press {
  /** What holds it down now. */
  by: 'pointer' | 'key' | null;
  /** Its key was pressed once. */
  isArmed: boolean;
}

export type PressEvent = 'pointer-down' | 'key-down' | 'let-go' | 'full' | 'leave' | 'click';

export const atRest: Press = { by: null, isArmed: false };

/** Decides only after the full time, or with the second press of its key. A short tap or click never decides. */
export function pressHold(press: Press, event: PressEvent): Press & { isDecided: boolean } {
  const decided = { ...atRest, isDecided: true };
  switch (event) {
    case 'pointer-down':
      return { by: 'pointer', isArmed: false, isDecided: false };
    case 'key-down':
      return press.isArmed ? decided : { by: 'key', isArmed: false, isDecided: false };
    // Screen readers and switches click without a pointer or a key: each click is a press.
    case 'click':
      return press.isArmed ? decided : { by: null, isArmed: true, isDecided: false };
    case 'let-go':
      return { by: null, isArmed: press.by === 'key', isDecided: false };
    case 'full':
      return press.by === null ? { ...press, isDecided: false } : decided;
    case 'leave':
      return { ...atRest, isDecided: false };
  }
}
