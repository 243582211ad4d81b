import { createBrowserRouter, Navigate } from 'react-router';
import { InboxPage } from './pages/inbox/InboxPage.tsx';
import { NotFoundPage } from './pages/not-found/NotFoundPage.tsx';
import { RequestPage } from './pages/request/RequestPage.tsx';
import { SetUpPage } from './pages/set-up/SetUpPage.tsx';
import { SignInPage } from './pages/sign-in/SignInPage.tsx';
import { BrokenPage } from './ui/BrokenPage.tsx';
import { SignedInShell } from './ui/SignedInShell.tsx';

export const makeRouter = () =>
  createBrowserRouter([
    {
      errorElement: <BrokenPage />,
      children: [
        { path: '/signin', element: <SignInPage /> },
        { path: '/setup', element: <SetUpPage /> },
        {
          element: <SignedInShell />,
          children: [
            { path: '/', element: <Navigate to="/inbox" replace /> },
            { path: '/inbox', element: <InboxPage /> },
            { path: '/requests/:id', element: <RequestPage /> },
            { path: '*', element: <NotFoundPage /> },
          ],
        },
      ],
    },
  ]);
