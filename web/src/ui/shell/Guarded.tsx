import { Component, Suspense, type ReactNode } from 'react';
import { BrokenPage } from './BrokenPage.tsx';

/** Shows that a page is broken if it could not be loaded or drawn, and nothing until the first one is loaded. */
export class Guarded extends Component<{ children: ReactNode }, { isBroken: boolean }> {
  override state = { isBroken: false };

  static getDerivedStateFromError() {
    return { isBroken: true };
  }

  override render() {
    return this.state.isBroken ? <BrokenPage /> : <Suspense>{this.props.children}</Suspense>;
  }
}
