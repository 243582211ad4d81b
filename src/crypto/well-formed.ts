/** True when the text holds no lone surrogate: only such text has one UTF-8 form, so only it can be hashed or compared as bytes. */
export const isWellFormed = (text: string): boolean => !/\p{Surrogate}/u.test(text);
