/** Plots as plain SVG: a few lines and words, which every browser draws and git can compare. */
const WIDTH = 760;
const LEFT = 90;
const RIGHT = 30;
const TOP = 50;
const BOTTOM = 60;
const LINE_HEIGHT = 380;
const BAR_STEP = 26;
const BAR_LABEL_WIDTH = 330;
const INK = '#1d2733';
const PALE = '#d5dbe3';
const COLOUR = '#2563eb';

const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const text = (x: number, y: number, words: string, more = ''): string =>
  `<text x="${round(x)}" y="${round(y)}" ${more}>${escape(words)}</text>`;

const round = (value: number): number => Math.round(value * 10) / 10;

const drawing = (height: number, title: string, inside: readonly string[]): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" font-family="sans-serif" font-size="12" fill="${INK}">
<title>${escape(title)}</title>
<rect width="${WIDTH}" height="${height}" fill="#fff"/>
${text(LEFT / 3, 24, title, 'font-size="15" font-weight="bold"')}
${inside.join('\n')}
</svg>
`;

const short = (value: number): string =>
  value.toLocaleString('en', { notation: 'compact', maximumFractionDigits: 1 });

export interface LinePlot {
  readonly title: string;
  readonly xTitle: string;
  readonly yTitle: string;
  readonly points: readonly { readonly x: number; readonly y: number }[];
}

/** Points over a logarithmic x; y begins at 0, so that a small change looks small. */
export function linePlot({ title, xTitle, yTitle, points }: LinePlot): string {
  const logOf = (x: number): number => Math.log10(Math.max(1, x));
  const xMax = Math.max(1, ...points.map(({ x }) => logOf(x)));
  const yMax = Math.max(...points.map(({ y }) => y), Number.MIN_VALUE) * 1.1;
  const floor = LINE_HEIGHT - BOTTOM;
  const at = ({ x, y }: { x: number; y: number }): readonly [number, number] => [
    LEFT + (logOf(x) / xMax) * (WIDTH - LEFT - RIGHT),
    floor - (y / yMax) * (floor - TOP),
  ];
  const grid = [0, 0.25, 0.5, 0.75, 1].flatMap((share) => {
    const [, y] = at({ x: 1, y: share * yMax });
    return [
      `<line x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${round(y)}" y2="${round(y)}" stroke="${PALE}"/>`,
      text(LEFT - 8, y + 4, short(share * yMax), 'text-anchor="end"'),
    ];
  });
  const sorted = [...points].sort((a, b) => a.x - b.x);
  const marks = sorted.flatMap((point) => {
    const [x, y] = at(point);
    return [
      `<circle cx="${round(x)}" cy="${round(y)}" r="4" fill="${COLOUR}"/>`,
      text(x, floor + 18, short(point.x), 'text-anchor="middle"'),
    ];
  });
  const path = sorted.map((point) => at(point).map(round).join(',')).join(' ');
  return drawing(LINE_HEIGHT, title, [
    ...grid,
    `<polyline points="${path}" fill="none" stroke="${COLOUR}" stroke-width="2"/>`,
    ...marks,
    text((LEFT + WIDTH - RIGHT) / 2, LINE_HEIGHT - 14, xTitle, 'text-anchor="middle"'),
    text(LEFT / 3, TOP - 8, yTitle),
  ]);
}

export interface Bar {
  readonly label: string;
  readonly value: number;
  readonly shown: string;
  /** Where the target lies. */
  readonly mark?: number;
}

export function barPlot(title: string, bars: readonly Bar[]): string {
  const height = TOP + bars.length * BAR_STEP + 20;
  const most = Math.max(...bars.map(({ value, mark = 0 }) => Math.max(value, mark)), Number.MIN_VALUE);
  const widthOf = (value: number): number => (value / most) * (WIDTH - BAR_LABEL_WIDTH - 120);
  const inside = bars.flatMap(({ label, value, shown, mark }, index) => {
    const y = TOP + index * BAR_STEP;
    const markX = BAR_LABEL_WIDTH + widthOf(mark ?? 0);
    return [
      text(BAR_LABEL_WIDTH - 8, y + 14, label, 'text-anchor="end"'),
      `<rect x="${BAR_LABEL_WIDTH}" y="${y}" width="${round(widthOf(value))}" height="18" fill="${COLOUR}"/>`,
      text(BAR_LABEL_WIDTH + widthOf(Math.max(value, mark ?? 0)) + 8, y + 14, shown),
      mark === undefined
        ? ''
        : `<line x1="${round(markX)}" x2="${round(markX)}" y1="${y - 3}" y2="${y + 21}" stroke="${INK}" stroke-width="2"/>`,
    ].filter(Boolean);
  });
  return drawing(height, title, inside);
}
