import { useState } from 'react';
import { useFormat } from '../../i18n/index.js';
import { Button } from '../../ui/index.js';
import { desk as server, type DeskConcertWithDates, type SoldPayment } from '../desk.js';
import { useOperatorText } from '../texts/index.js';
import type { Pages } from '../use-pages.js';
import { Buyer, Cell, SeatLabels } from './cells.js';
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
        <SeatLabels seats={item.seats} />
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
  const [asked, setAsked] = useState<{ item: SoldPayment; pages: Pages<SoldPayment> }>();
  const close = (): void => setAsked(undefined);
  return (
    <>
      <SalesList
        concert={concert}
        list="payments"
        load={(q, cursor) => server.payments(concert.id, { q, cursor })}
        none={sales.nonePayments}
        heads={[sales.paidAt, sales.number, sales.buyer, sales.seats, sales.amount, sales.status]}
        row={(item, pages) => <Row key={item.id} item={item} onRefund={() => setAsked({ item, pages })} />}
      />
      {asked && (
        <RefundDialog
          payment={asked.item}
          onClose={close}
          onRefunded={(refundedAt) =>
            asked.pages.replace((each) => (each.id === asked.item.id ? { ...each, refundedAt } : each))
          }
        />
      )}
    </>
  );
}
