/** Renders plots as plain SVG text, which every browser can show and git can diff. */
const WIDTH = 760;
const LEFT = 90;
const RIGHT = 30;
const TOP = 50;
const BOTTOM = 60;
const LINE_PLOT_HEIGHT = 380;
const BAR_STEP = 26;
const BAR_LABEL_WIDTH = 330;
const TEXT_COLOUR = '#1d2733';
const GRID_COLOUR = '#d5dbe3';
const DATA_COLOUR = '#2563eb';

const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const text = (x: number, y: number, content: string, attributes = ''): string =>
  `<text x="${round(x)}" y="${round(y)}" ${attributes}>${escape(content)}</text>`;

const round = (value: number): number => Math.round(value * 10) / 10;

const svgDocument = (height: number, title: string, elements: readonly string[]): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" font-family="sans-serif" font-size="12" fill="${TEXT_COLOUR}">
<title>${escape(title)}</title>
<rect width="${WIDTH}" height="${height}" fill="#fff"/>
${text(LEFT / 3, 24, title, 'font-size="15" font-weight="bold"')}
${elements.join('\n')}
</svg>
`;

const formatCompact = (value: number): string =>
  value.toLocaleString('en', { notation: 'compact', maximumFractionDigits: 1 });

export interface LinePlot {
  readonly title: string;
  readonly xTitle: string;
  readonly yTitle: string;
  readonly points: readonly { readonly x: number; readonly y: number }[];
}

/** The x axis is logarithmic. The y axis starts at 0, so that small differences look small. */
export function linePlot({ title, xTitle, yTitle, points }: LinePlot): string {
  const logX = (x: number): number => Math.log10(Math.max(1, x));
  const xMax = Math.max(1, ...points.map(({ x }) => logX(x)));
  const yMax = Math.max(...points.map(({ y }) => y), Number.MIN_VALUE) * 1.1;
  const floor = LINE_PLOT_HEIGHT - BOTTOM;
  const at = ({ x, y }: { x: number; y: number }): readonly [number, number] => [
    LEFT + (logX(x) / xMax) * (WIDTH - LEFT - RIGHT),
    floor - (y / yMax) * (floor - TOP),
  ];
  const grid = [0, 0.25, 0.5, 0.75, 1].flatMap((share) => {
    const [, y] = at({ x: 1, y: share * yMax });
    return [
      `<line x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${round(y)}" y2="${round(y)}" stroke="${GRID_COLOUR}"/>`,
      text(LEFT - 8, y + 4, formatCompact(share * yMax), 'text-anchor="end"'),
    ];
  });
  const sorted = [...points].sort((a, b) => a.x - b.x);
  const marks = sorted.flatMap((point) => {
    const [x, y] = at(point);
    return [
      `<circle cx="${round(x)}" cy="${round(y)}" r="4" fill="${DATA_COLOUR}"/>`,
      text(x, floor + 18, formatCompact(point.x), 'text-anchor="middle"'),
    ];
  });
  const path = sorted.map((point) => at(point).map(round).join(',')).join(' ');
  return svgDocument(LINE_PLOT_HEIGHT, title, [
    ...grid,
    `<polyline points="${path}" fill="none" stroke="${DATA_COLOUR}" stroke-width="2"/>`,
    ...marks,
    text((LEFT + WIDTH - RIGHT) / 2, LINE_PLOT_HEIGHT - 14, xTitle, 'text-anchor="middle"'),
    text(LEFT / 3, TOP - 8, yTitle),
  ]);
}

export interface Bar {
  readonly label: string;
  readonly value: number;
  readonly valueLabel: string;
  /** Drawn as a line across the bar. */
  readonly target?: number;
}

export function barPlot(title: string, bars: readonly Bar[]): string {
  const height = TOP + bars.length * BAR_STEP + 20;
  const max = Math.max(...bars.map(({ value, target = 0 }) => Math.max(value, target)), Number.MIN_VALUE);
  const widthOf = (value: number): number => (value / max) * (WIDTH - BAR_LABEL_WIDTH - 120);
  const elements = bars.flatMap(({ label, value, valueLabel, target }, index) => {
    const y = TOP + index * BAR_STEP;
    const targetX = BAR_LABEL_WIDTH + widthOf(target ?? 0);
    return [
      text(BAR_LABEL_WIDTH - 8, y + 14, label, 'text-anchor="end"'),
      `<rect x="${BAR_LABEL_WIDTH}" y="${y}" width="${round(widthOf(value))}" height="18" fill="${DATA_COLOUR}"/>`,
      text(BAR_LABEL_WIDTH + widthOf(Math.max(value, target ?? 0)) + 8, y + 14, valueLabel),
      target === undefined
        ? ''
        : `<line x1="${round(targetX)}" x2="${round(targetX)}" y1="${y - 3}" y2="${y + 21}" stroke="${TEXT_COLOUR}" stroke-width="2"/>`,
    ].filter(Boolean);
  });
  return svgDocument(height, title, elements);
}
