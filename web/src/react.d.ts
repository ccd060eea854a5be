import 'react';

declare module 'react' {
  interface CSSProperties {
    // Only an index signature can be merged into an interface.
    // eslint-disable-next-line @typescript-eslint/consistent-indexed-object-style
    [name: `--${string}`]: string | number | undefined;
  }
}
