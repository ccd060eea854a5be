import type { ReactNode } from 'react';
import type { Motif, Palette, PosterDesign } from './poster-design.js';

/** The size of the drawing. */
export const WIDTH = 300;
export const HEIGHT = 400;

type Draw = (colours: Palette, random: () => number) => ReactNode;

const times = (count: number, draw: (index: number) => ReactNode): ReactNode[] =>
  Array.from({ length: count }, (_, index) => draw(index));
const between = (random: () => number, low: number, high: number): number => low + random() * (high - low);

/** A record, cut by an edge. */
const rings: Draw = ({ first, second, third }, random) => {
  const x = between(random, 60, 240);
  const y = between(random, 90, 190);
  const size = between(random, 130, 180);
  return (
    <>
      <circle cx={x} cy={y} r={size} fill={first} />
      {times(6, (index) => (
        <circle
          key={index}
          cx={x}
          cy={y}
          r={size - 14 - index * 15}
          fill="none"
          stroke="#000"
          strokeOpacity={0.28}
          strokeWidth={index % 2 === 0 ? 3 : 6}
        />
      ))}
      <circle cx={x} cy={y} r={size * 0.3} fill={second} />
      <circle cx={x} cy={y} r={size * 0.08} fill={third} />
    </>
  );
};

/** An equalizer. */
const bars: Draw = ({ first, second, third }, random) => {
  const colours = [first, second, third];
  return times(9, (index) => {
    const height = between(random, 70, 300);
    return (
      <rect
        key={index}
        x={14 + index * 31}
        y={40 + (300 - height) / 2}
        width={20}
        height={height}
        rx={10}
        fill={colours[index % colours.length]}
      />
    );
  });
};

/** A sun behind stripes. */
const sun: Draw = ({ ground, first, second }, random) => {
  const x = between(random, 100, 200);
  const size = between(random, 95, 130);
  return (
    <>
      <rect width={WIDTH} height={HEIGHT} fill={first} fillOpacity={0.22} />
      <circle cx={x} cy={170} r={size} fill={second} />
      {times(6, (index) => (
        <rect key={index} x={0} y={160 + index * 22} width={WIDTH} height={4 + index * 3} fill={ground} />
      ))}
      <path d={`M0 300 Q ${x} ${between(random, 230, 280)} 300 300 V400 H0Z`} fill={first} />
    </>
  );
};

/** Stage lights. */
const beams: Draw = ({ first, second, third }, random) => (
  <>
    {times(5, (index) => {
      const from = 30 + index * 60;
      const to = from + between(random, -110, 110);
      return (
        <path
          key={index}
          d={`M${from} -10 L${to - 46} 330 H${to + 46}Z`}
          fill={[first, second, third][index % 3]}
          fillOpacity={0.55}
        />
      );
    })}
    <ellipse cx={150} cy={338} rx={170} ry={34} fill={second} fillOpacity={0.8} />
  </>
);

/** Squares and quarter circles. */
const tiles: Draw = ({ first, second, third }, random) => {
  const colours = [first, second, third];
  const side = 75;
  return times(16, (index) => {
    const x = (index % 4) * side;
    const y = Math.floor(index / 4) * side;
    const turn = Math.floor(random() * 4) * 90;
    const colour = colours[Math.floor(random() * 3)];
    const kind = random();
    const centre = `rotate(${turn} ${x + side / 2} ${y + side / 2})`;
    if (kind < 0.2) return <circle key={index} cx={x + side / 2} cy={y + side / 2} r={26} fill={colour} />;
    if (kind < 0.75)
      return (
        <path
          key={index}
          d={`M${x} ${y} H${x + side} A${side} ${side} 0 0 1 ${x} ${y + side}Z`}
          fill={colour}
          transform={centre}
        />
      );
    return (
      <path key={index} d={`M${x} ${y} H${x + side} L${x} ${y + side}Z`} fill={colour} transform={centre} />
    );
  });
};

/** Rainbows from a corner. */
const arcs: Draw = ({ first, second, third }, random) => {
  const isRight = random() < 0.5;
  const y = between(random, 250, 330);
  return times(7, (index) => (
    <circle
      key={index}
      cx={isRight ? WIDTH : 0}
      cy={y}
      r={270 - index * 38}
      fill={[first, second, third][index % 3]}
      stroke="#000"
      strokeOpacity={0.15}
    />
  ));
};

/** Sound waves. */
const waves: Draw = ({ first, second, third }, random) => {
  const bend = between(random, 40, 90);
  return times(8, (index) => {
    const y = 40 + index * 42;
    return (
      <path
        key={index}
        d={`M-10 ${y} C 80 ${y - bend} 120 ${y + bend} 190 ${y} S 290 ${y - bend * 0.6} 320 ${y}`}
        fill="none"
        stroke={[first, second, third][index % 3]}
        strokeWidth={9 + index * 2}
        strokeLinecap="round"
      />
    );
  });
};

/** A crowd of lights, denser towards the stage. */
const dots: Draw = ({ first, second, third }, random) => (
  <>
    {times(90, (index) => (
      <circle
        key={index}
        cx={between(random, 0, WIDTH)}
        cy={330 * Math.sqrt(random())}
        r={between(random, 3, 15)}
        fill={[first, second, third][index % 3]}
        fillOpacity={between(random, 0.45, 1)}
      />
    ))}
  </>
);

const DRAWINGS: Readonly<Record<Motif, Draw>> = { rings, bars, sun, beams, tiles, arcs, waves, dots };

export const drawMotif = ({ motif, palette, random }: PosterDesign): ReactNode =>
  DRAWINGS[motif](palette, random);
