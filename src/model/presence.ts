/** What an approval can need of the person who gives it, the least first. What an issuer vouches for (`acr`) would stand before `passkey`. */
export const presences = ['none', 'fresh-sign-in', 'passkey'] as const;
export type Presence = (typeof presences)[number];
