import { z } from 'zod';

// The console's content security policy has no unsafe-eval, which zod would otherwise try first.
z.config({ jitless: true });
