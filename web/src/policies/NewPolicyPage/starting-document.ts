import { starting } from '../words/words.ts';

/** A small whole policy to begin with: it holds, and its comments say what else can be written. */
export const startingDocument = (words: typeof starting = starting): string => `# ${words.suggestions}
policy: new-policy
description: ${words.purpose}

# ${words.match}
match:
  tool: [ transfer, "pay-*" ]

# ${words.when}
when: request.args.amount > 1000

# ${words.require}
require:
  # ${words.stages}
  stages:
    - name: Manager
      approvers: { manager: requester }
      # ${words.escalate}
      escalate: { after: 10m, add: { role: admin } }
    # - name: Finance
    #   approve: 2
    #   approvers: { group: finance }
  deadline: 24h
`;
