import './client/tagless-html.ts';
import './ui/mantine.css';
import './ui/base.css';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { setNonce } from 'get-nonce';
import { createRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router';
import { Announcer } from './shell/announcer.tsx';
import { language } from './language/language.ts';
import { makeQueryClient } from './access/sign-in/PasswordForm.tsx';
import { HotkeySwitchProvider } from './shell/use-hotkeys.tsx';
import { Routes } from './routes.tsx';
import { BrokenPage, Guarded } from './shell/PlainPage.tsx';
import { chosenColorScheme, resolveVariables, theme } from './ui/theme.ts';
import classes from './shell/Unseen.module.css';

document.documentElement.lang = language;
const nonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? '';
// For the style element of a dialog's scroll lock; Mantine's own go through getStyleNonce.
setNonce(nonce);

const root = document.getElementById('root');
if (root) {
  createRoot(root).render(
    <MantineProvider
      theme={theme}
      cssVariablesResolver={resolveVariables}
      colorSchemeManager={chosenColorScheme}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce}
      deduplicateCssVariables={false}
    >
      <QueryClientProvider client={makeQueryClient()}>
        <HotkeySwitchProvider>
          <Announcer className={classes.unseen}>
            <BrowserRouter>
              <Guarded instead={<BrokenPage />}>
                <Routes />
              </Guarded>
            </BrowserRouter>
          </Announcer>
        </HotkeySwitchProvider>
      </QueryClientProvider>
    </MantineProvider>,
  );
}
