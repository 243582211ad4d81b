import { Component, Suspense, type ReactNode } from 'react';

interface GuardedProps {
  children: ReactNode;
  /** What is shown in place of what could not be loaded or drawn. */
  instead: ReactNode;
  /** Elsewhere, it is tried again. */
  place?: string;
}

/** Shows something else for what could not be loaded or drawn, and nothing until it is loaded. */
export class Guarded extends Component<GuardedProps, { brokenAt: string | null }> {
  override state = { brokenAt: null };

  static getDerivedStateFromError() {
    return { brokenAt: '' };
  }

  static getDerivedStateFromProps({ place = '' }: GuardedProps, { brokenAt }: { brokenAt: string | null }) {
    if (brokenAt === null || brokenAt === place) return null;
    return { brokenAt: brokenAt === '' ? place : null };
  }

  override render() {
    return this.state.brokenAt === null ? <Suspense>{this.props.children}</Suspense> : this.props.instead;
  }
}
