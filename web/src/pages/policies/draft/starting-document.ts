/** A small whole policy to begin with: it holds, and its comments say what else can be written. */
export const startingDocument = `# Ctrl+Space: suggestions
policy: new-policy
description: Say in one sentence what it is for.

# Which calls it is about. A line left out means any.
match:
  tool: [ transfer, "pay-*" ]

# Only when this holds; left out means always.
when: request.args.amount > 1000

# People must approve it. Instead: allow, or deny.
require:
  # One stage after the other.
  stages:
    - name: Manager
      approvers: { manager: requester }
      # If no one decides in time, these may too.
      escalate: { after: 10m, add: { role: admin } }
    # - name: Finance
    #   approve: 2
    #   approvers: { group: finance }
  deadline: 24h
`;
