/** The look of a concert without a picture. Its title decides, so it is the same on every page, and for its copies. */
export interface PosterDesign {
  readonly motif: Motif;
  readonly palette: Palette;
  /** Moves and sizes the parts of the motif. */
  readonly random: () => number;
}

export const MOTIFS = ['rings', 'bars', 'sun', 'beams', 'tiles', 'arcs', 'waves', 'dots'] as const;
export type Motif = (typeof MOTIFS)[number];

export interface Palette {
  readonly ground: string;
  readonly first: string;
  readonly second: string;
  readonly third: string;
}

const PALETTES: readonly [Palette, ...Palette[]] = [
  { ground: '#1b1b3a', first: '#ff6b6b', second: '#ffd93d', third: '#6bcbef' },
  { ground: '#5a1a1a', first: '#ff9e6d', second: '#ffe0b5', third: '#d1495b' },
  { ground: '#3d0c3a', first: '#f72585', second: '#ffb3d1', third: '#7f5af0' },
  { ground: '#0b3d2e', first: '#95d5b2', second: '#f4d35e', third: '#ee964b' },
  { ground: '#12343b', first: '#e1b382', second: '#c89666', third: '#f3e9dc' },
  { ground: '#40216b', first: '#c77dff', second: '#80ffdb', third: '#ffc6ff' },
  { ground: '#2b2b2b', first: '#e5e5e5', second: '#fca311', third: '#8d99ae' },
  { ground: '#102a56', first: '#4cc9f0', second: '#f1faee', third: '#3a86ff' },
  { ground: '#6b2d0f', first: '#f9c74f', second: '#f8961e', third: '#90be6d' },
  { ground: '#07393c', first: '#2ec4b6', second: '#ff9f1c', third: '#cbf3f0' },
  { ground: '#4a0e2b', first: '#ff8fab', second: '#fdf0d5', third: '#c1121f' },
];

/** FNV-1a. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash >>> 0;
}

/** Mulberry32: numbers from 0 to 1, always the same for a seed. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function designOf(title: string): PosterDesign {
  const random = createRandom(hashOf(title));
  const pick = <Item>(items: readonly [Item, ...Item[]]): Item =>
    items[Math.floor(random() * items.length)] ?? items[0];
  return { motif: pick(MOTIFS), palette: pick(PALETTES), random };
}
