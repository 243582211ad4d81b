import { appendFileSync } from 'node:fs';

/** What a caller, a voter or a tool saw, and what was done to the processes under them. */
export type Event =
  /** A lifecycle began; `name` is the caller's own name for its call. */
  | { kind: 'began'; name: string }
  | { kind: 'opened'; name: string; by: string; id: string; toolCall: string; deadlineAt: number }
  /** A vote was answered; 200 is a promise that it is stored. */
  | { kind: 'voted'; id: string; user: string; action: string; status: number; code: string | null }
  /** The outcome reached the caller. */
  | { kind: 'heard'; id: string; by: string; status: string }
  | { kind: 'claimed'; toolCall: string; attempt: string; answer: string }
  /** The tool's side effect. */
  | { kind: 'ran'; toolCall: string; attempt: string }
  | { kind: 'completed'; toolCall: string; attempt: string }
  /** An answer that no fault excuses, or the end of a caller's patience. */
  | { kind: 'refused'; name: string; verb: string; code: string }
  | { kind: 'ended'; name: string }
  | { kind: 'fault'; fault: string; place: string };

/** An event, and when it was written down. */
export type Happening = Event & { at: number };

export interface History {
  readonly happenings: readonly Happening[];
  add(event: Event): void;
}

/** Keeps each event, and writes it to the file as a line of JSON before anything follows from it. */
export function openHistory(file: string): History {
  const happenings: Happening[] = [];
  return {
    happenings,
    add(event) {
      const happening = { at: Date.now(), ...event };
      happenings.push(happening);
      appendFileSync(file, `${JSON.stringify(happening)}\n`);
    },
  };
}
