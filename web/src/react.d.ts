import 'react';

declare module 'react' {
  // Only an index signature can be merged into an interface.
  // eslint-disable-next-line @typescript-eslint/consistent-indexed-object-style
  interface CSSProperties {
    [name: `--${string}`]: string | number | undefined;
  }
}
