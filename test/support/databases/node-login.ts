import { urlOf } from '#server/database';

/** The login of every node that a test starts: it owns nothing. */
export const nodeLogin = { name: 'test_node', password: 'the-password-of-nodes-in-tests' };

/** The same database, as nodes and commands reach it. */
export const nodeUrl = (url: string): string => urlOf(url, nodeLogin.name, nodeLogin.password);
