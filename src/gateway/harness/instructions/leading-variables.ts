/** Variables of the environment by which a program asks another Assentry, or runs other code than its own. */
export const leading =
  /^(?:ASSENTRY_|NODE_|LD_|DYLD_|XDG_|OPENSSL_|SSL_|BASH_|CLAUDE_|OPENCODE_|GIT_)|^(?:ENV|PATH|HOME|SHELL)$|_PROXY$/i;
