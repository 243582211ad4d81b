// What a run tells a node to suffer. Without effect of its own: the runs and their tests import it.

export const moments = ['before', 'during', 'after'] as const;
/** The statements of the four verbs, and whatever comes next. */
export const statements = {
  open: 'INSERT INTO elicitation',
  vote: 'UPDATE elicitation',
  claim: 'UPDATE tool_call',
  any: '',
};

export type Order =
  | { do: 'die'; statement: keyof typeof statements; moment: (typeof moments)[number] }
  | { do: 'set-clock'; ahead: number }
  | { do: 'scramble'; isOn: boolean };
