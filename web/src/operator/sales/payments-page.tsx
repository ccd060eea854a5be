import { useState } from 'react';
import { useFormat } from '../../i18n/index.js';
import { Button, type PagedList } from '../../ui/index.js';
import { operatorApi, type OperatorConcertDetails, type PaymentEntry } from '../operator-api.js';
import { useOperatorText } from '../texts/index.js';
import { Buyer, Cell } from './cells.js';
import { RefundDialog } from './refund-dialog.js';
import { SalesList } from './sales-list.js';

interface RowProps {
  readonly item: PaymentEntry;
  readonly onRefund: () => void;
}

function PaymentRow({ item, onRefund }: RowProps) {
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
        {format.seats(item.seats)}
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

export function PaymentsPage({ concert }: { readonly concert: OperatorConcertDetails }) {
  const { sales } = useOperatorText();
  const [refunding, setRefunding] = useState<{ item: PaymentEntry; list: PagedList<PaymentEntry> }>();
  const close = (): void => setRefunding(undefined);
  return (
    <>
      <SalesList
        concert={concert}
        name="payments"
        statuses={sales.paymentStates}
        load={(filter, page, signal) => operatorApi.payments(concert.id, filter, page, signal)}
        none={sales.nonePayments}
        heads={[sales.paidAt, sales.number, sales.buyer, sales.seats, sales.amount, sales.status]}
        row={(item, list) => (
          <PaymentRow key={item.id} item={item} onRefund={() => setRefunding({ item, list })} />
        )}
      />
      {refunding && (
        <RefundDialog
          payment={refunding.item}
          onClose={close}
          onRefunded={(refundedAt) =>
            refunding.list.loaded.update((page) => ({
              ...page,
              items: page.items.map((each) =>
                each.id === refunding.item.id ? { ...each, refundedAt } : each,
              ),
            }))
          }
        />
      )}
    </>
  );
}
