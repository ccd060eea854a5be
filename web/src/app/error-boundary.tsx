import { Component, type ReactNode } from 'react';

interface Props {
  readonly children: ReactNode;
  readonly fallback: ReactNode;
}

/** What a bug leaves standing: a page that says so and offers a way on. */
export class ErrorBoundary extends Component<Props, { readonly failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render(): ReactNode {
    return this.state.failed ? this.props.fallback : this.props.children;
  }
}
