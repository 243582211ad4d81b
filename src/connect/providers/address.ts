import { z } from 'zod';
import { isPrivateAddress } from '#platform/model/names';

export const Address = z
  .string()
  .max(2048)
  .refine(isPrivateAddress, 'Give an address that begins with https:; http: is for this machine only.');

export const Host = z
  .string()
  .regex(/^(?!.*\.\.)[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?(?::\d{1,5})?$/, 'Give one host, such as api.example.com.');
