import { z } from 'zod';

const site = (value: string, title: string) => z.literal(value).meta({ title });

/** One field of every kind that MCP forms have. */
export const employeeForm = z.object({
  nickname: z.string().min(2).max(40).optional().describe('How colleagues will call them'),
  email: z.email().describe('Work address'),
  homepage: z.url().optional().describe('Public profile'),
  start: z.iso.date().describe('First day'),
  induction: z.iso.datetime({ offset: true }).optional().describe('When the induction begins'),
  hours: z.number().min(1).max(40).default(40).describe('Hours a week'),
  desk: z.int().min(1).max(500).optional().describe('Desk number'),
  remote: z.boolean().default(false).describe('Works from home'),
  team: z.enum(['Engineering', 'Finance', 'Support']).describe('Team'),
  site: z
    .union([site('ber', 'Berlin'), site('lis', 'Lisbon')])
    .optional()
    .describe('Office'),
  equipment: z
    .array(z.enum(['Laptop', 'Phone', 'Monitor']))
    .min(1)
    .max(3)
    .describe('To be ordered'),
  access: z
    .array(z.union([site('vpn', 'Remote network'), site('crm', 'Customer records')]))
    .optional()
    .describe('Systems'),
});
