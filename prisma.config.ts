import { defineConfig } from 'prisma/config';

// These commands never run the schema engine, yet would download it. Naming any file that exists stops that.
// Only for these: `prisma migrate` needs the real engine.
if (['generate', 'validate', 'format'].some((command) => process.argv.includes(command))) {
  process.env['PRISMA_SCHEMA_ENGINE_BINARY'] ||= process.execPath;
}

export default defineConfig({
  schema: 'prisma/schema.prisma',
  migrations: { path: 'prisma/migrations' },
  ...(process.env['DATABASE_URL'] ? { datasource: { url: process.env['DATABASE_URL'] } } : {}),
});
