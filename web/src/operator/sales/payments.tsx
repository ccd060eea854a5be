import { useState } from 'react';
import { formatSeats, useFormat } from '../../i18n/index.js';
import { Button, type PagedList } from '../../ui/index.js';
import { desk as server, type DeskConcertWithDates, type SoldPayment } from '../desk.js';
import { useOperatorText } from '../texts/index.js';
import { Buyer, Cell } from './cells.js';
import { RefundDialog } from './refund-dialog.js';
import { SalesList } from './sales-list.js';

interface RowProps {
  readonly item: SoldPayment;
  readonly onRefund: () => void;
}

function Row({ item, onRefund }: RowProps) {
  const { sales } = useOperatorText();
  const format = useFormat();
  return (
    <tr>
      <Cell head={sales.paidAt}>{format.date(item.paidAt)}</Cell>
      <Cell head={sales.number}>{item.number}</Cell>
      <Cell head={sales.buyer}>
        <Buyer user={item.user} />
      </Cell>
      <Cell head={sales.seats}>
        {formatSeats(item.seats)}
        <br />
        <span className="soft small">{format.date(item.schedule.startsAt)}</span>
      </Cell>
      <Cell head={sales.amount}>
        <span className="op-amount">{format.money(item.amount, item.currency)}</span>
      </Cell>
      <Cell head={sales.status}>
        {item.refundedAt === null ? (
          <Button tone="danger" aria-label={sales.refundOf(item.number)} onClick={onRefund}>
            {sales.refund}
          </Button>
        ) : (
          <span className="tag" title={sales.refundedAt(format.date(item.refundedAt))}>
            {sales.refunded}
          </span>
        )}
      </Cell>
    </tr>
  );
}

export function Payments({ concert }: { readonly concert: DeskConcertWithDates }) {
  const { sales } = useOperatorText();
  const [asked, setAsked] = useState<{ item: SoldPayment; list: PagedList<SoldPayment> }>();
  const close = (): void => setAsked(undefined);
  return (
    <>
      <SalesList
        concert={concert}
        name="payments"
        load={(query, signal) => server.payments(concert.id, query, signal)}
        none={sales.nonePayments}
        heads={[sales.paidAt, sales.number, sales.buyer, sales.seats, sales.amount, sales.status]}
        row={(item, list) => <Row key={item.id} item={item} onRefund={() => setAsked({ item, list })} />}
      />
      {asked && (
        <RefundDialog
          payment={asked.item}
          onClose={close}
          onRefunded={(refundedAt) =>
            asked.list.loaded.update((page) => ({
              ...page,
              items: page.items.map((each) => (each.id === asked.item.id ? { ...each, refundedAt } : each)),
            }))
          }
        />
      )}
    </>
  );
}
