export const words = {
  title: 'Get started',
  lead: 'Four steps to the first request of your own. You can leave this page and come back at any time.',
  administratorsOnly: 'Only administrators can set up Assentry.',
  inbox: 'Go to the inbox',
};

export const steps = { done: '(done)', again: 'Show again' };

export const connect = {
  title: 'Connect a server',
  note: 'Create a key for your MCP server, then paste the code for your client.',
  done: 'A server has a key. It hasn’t called yet.',
  connected: (server: string) => `${server} is connected. Last call:`,
  server: 'Name of the server',
  create: 'Create key',
  another: 'Create another key',
  key: 'Key',
  shownOnce: (server: string) => `The key of ${server}. It’s shown only once: copy it now. The code below has it, too.`,
};

export const snippets = {
  group: 'Client',
  kinds: {
    typescript: 'TypeScript',
    claude: 'Claude',
    cursor: 'Cursor',
    vscode: 'VS Code',
    inspector: 'Inspector',
    curl: 'curl',
  },
  notes: {
    typescript:
      'First npm install assentry @modelcontextprotocol/sdk zod. The key comes from your client’s settings. Save as',
    claude: 'For Claude Code; Claude Desktop reads the same from claude_desktop_config.json. Save as',
    cursor: 'In your project. Save as',
    vscode: 'In your project. Save as',
    inspector: 'Runs your server in the MCP Inspector.',
    curl: 'Opens a request without any code.',
  },
};

export const test = {
  title: 'Send a test request',
  note: 'A real request from a built-in server: read it, then approve or decline. Nothing runs.',
  done: 'You’ve seen a request from beginning to end.',
  send: 'Send a test request',
  again: 'Send another',
  open: 'Open the request',
};

export const people = {
  title: 'Invite a second person',
  note: 'In a trial, you can approve what your own keys ask for. In production, someone else has to. Policies are always reviewed by someone else.',
  done: 'There’s a second person.',
  add: 'Add a person',
  alone: 'You’re the only administrator who can sign in',
  aloneNote:
    'You can decide requests, create keys and add people now. What needs a second administrator waits until one has set a password: above all, the review of policies. Until then, the operator can publish policies with: assentry policy apply FILE.',
};

export const policy = {
  title: 'Write your first policy',
  note: 'Begin with an example and change it to fit. It decides nothing until someone else has reviewed it.',
  done: 'There’s a policy of your own.',
};
