import './api/without-eval.ts';
import './api/tagless-html.ts';
import './ui/mantine.css';
import './ui/base.css';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { setNonce } from 'get-nonce';
import { createRoot } from 'react-dom/client';
import { RouterProvider } from 'react-router';
import { Announcer } from './lib/announcer.tsx';
import { language } from './lib/language/language.ts';
import { makeQueryClient } from './lib/queries.ts';
import { HotkeySwitchProvider } from './lib/use-hotkeys.tsx';
import { makeRouter } from './routes.tsx';
import { chosenColorScheme, resolveVariables, theme } from './ui/theme.ts';
import classes from './ui/Unseen.module.css';

document.documentElement.lang = language;
const nonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? '';
// For the style element of a dialog's scroll lock; Mantine's own go through getStyleNonce.
setNonce(nonce);

// The next thing most people open; by then it is there.
addEventListener('load', () => void setTimeout(() => void import('./pages/request/RequestPage.tsx'), 2_000), {
  once: true,
});

const root = document.getElementById('root');
if (root) {
  createRoot(root).render(
    <MantineProvider
      theme={theme}
      cssVariablesResolver={resolveVariables}
      colorSchemeManager={chosenColorScheme}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce}
    >
      <QueryClientProvider client={makeQueryClient()}>
        <HotkeySwitchProvider>
          <Announcer className={classes.unseen}>
            <RouterProvider router={makeRouter()} />
          </Announcer>
        </HotkeySwitchProvider>
      </QueryClientProvider>
    </MantineProvider>,
  );
}
