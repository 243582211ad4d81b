import type { Request } from 'express';
import { ipKeyGenerator } from 'express-rate-limit';

/** Where a caller is. One IPv6 network counts as one source. */
export const addressOf = ({ ip }: Request): string => (ip === undefined ? 'unknown' : ipKeyGenerator(ip, 64));
