const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** Does this address lead to the machine it is opened on? */
export const isLoopback = (url: string): boolean => loopback.test(new URL(url).hostname);
