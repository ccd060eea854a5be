import { useId } from 'react';

export type Figure = readonly [name: string, value: string];

/** A group of named figures. */
export function Figures({ title, figures }: { readonly title: string; readonly figures: readonly Figure[] }) {
  const id = useId();
  return (
    <section className="card op-figures" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <dl>
        {figures.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
