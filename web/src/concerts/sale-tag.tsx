import type { Concert } from '../api/index.js';
import { useFormat, useText } from '../i18n/index.js';
import { saleStateAt } from './sale-state.js';

const DAY_MS = 86_400_000;

/** The state of the sale; before it opens, the time until then. */
export function SaleTag({ concert, nowMs }: { readonly concert: Concert; readonly nowMs: number }) {
  const { concerts: text } = useText();
  const format = useFormat(concert.timeZone);
  const opensAt = Date.parse(concert.salesOpenAt ?? '');
  switch (saleStateAt(concert, nowMs)) {
    case 'OPEN':
      return <span className="tag tag-good">{text.onSale}</span>;
    case 'SOLD_OUT':
      return <span className="tag tag-bad">{text.soldOut}</span>;
    case 'CLOSED':
      return <span className="tag">{text.closed}</span>;
    case 'BEFORE':
      return (
        <span className="tag tag-warn">
          {opensAt - nowMs > DAY_MS
            ? text.opensAt(format.date(opensAt))
            : text.opensIn(format.duration(opensAt - nowMs))}
        </span>
      );
  }
}
