/** Policies for well-known MCP servers, with the names of tools and arguments that their documentation gives. */
export const serverDocuments = {
  'filesystem-server': `policy: filesystem-server
description: A person approves each change of files. What only reads is left to your other policies.

# @modelcontextprotocol/server-filesystem, by the name that the gateway gives it.
match:
  server: "*filesystem*"
  tool: [ write_file, edit_file, move_file, create_directory ]

require:
  stages:
    - name: Files
      approvers: anyone
  deadline: 1h
  facts:
    - { label: Path, path: /path }
    - { label: From, path: /source }
    - { label: To, path: /destination }
`,
  'github-server': `policy: github-server
description: A person approves what reaches a repository or starts a workflow.

# github/github-mcp-server
match:
  server: "*github*"
  tool:
    - merge_pull_request
    - push_files
    - create_or_update_file
    - delete_file
    - create_repository
    - actions_run_trigger
    - run_workflow

require:
  risk: high
  stages:
    - name: Repository
      approvers: anyone
      # approvers: { group: maintainers }
  deadline: 8h
  facts:
    - { label: Owner, path: /owner }
    - { label: Repository, path: /repo }
    - { label: Branch, path: /branch }
`,
  'slack-server': `policy: slack-server
description: A person approves each message, except in one channel, and can correct it first.

# @modelcontextprotocol/server-slack
match:
  server: "*slack*"
  tool: [ slack_post_message, slack_reply_to_thread ]

# Put the channels here in which your other policies decide.
when: '!(request.args.channel_id in ["C0123ABCD"])'

require:
  stages:
    - name: Message
      approvers: anyone
  editable:
    text: { type: string }
  deadline: 2h
  facts:
    - { label: Channel, path: /channel_id }
`,
  'postgres-server': `policy: postgres-server
description: An administrator approves every statement but a single plain SELECT.

# crystaldba/postgres-mcp has execute_sql, and the reference server has query.
match:
  server: "*postgres*"
  tool: [ execute_sql, query ]

# A SELECT can still call a function that writes: give the server a login that may only read.
when: >-
  !re2(request.args.sql, r"(?i)^\\s*select\\s[^;]*;?\\s*$")
  || re2(request.args.sql, r"(?i)\\binto\\b")

require:
  risk: high
  stages:
    - name: Database
      approvers: { role: admin }
  deadline: 4h
  facts:
    - { label: Statement, path: /sql }
`,
  'browser-server': `policy: browser-server
description: A person approves sites that are not your own, uploads, and code that runs in a page.

# microsoft/playwright-mcp
match:
  server: "*playwright*"
  tool: [ browser_navigate, browser_file_upload, browser_drop, browser_evaluate, browser_run_code_unsafe ]

# Put your own domain here.
when: >-
  !has(request.args.url)
  || !re2(request.args.url, "^https://([a-z0-9-]+[.])*example[.]com(/|$)")

require:
  stages:
    - name: Browser
      approvers: anyone
  deadline: 1h
  facts:
    - { label: Address, path: /url }
`,
} as const;
