import { Type } from 'typebox';
import type { Caller } from '../kernel/caller.js';
import { Refusal } from '../kernel/refusal.js';
import type { Sql } from '../platform/sql/index.js';
import {
  Amount,
  closed,
  type Identify,
  type Limit,
  listOf,
  type InBatches,
  pageOfRows,
  PageQuery,
  type Routes,
} from '../platform/web/index.js';
import { createChargeWallet } from './charge-wallet.js';
import { EntrySchema, toEntry } from './entry.js';
import { findBalance, listEntries } from './queries.js';

const BalanceSchema = closed({ balance: Amount, currency: Type.String() });
const ChargedSchema = closed({ balance: Amount, currency: Type.String(), entry: EntrySchema });

const TAGS = { tags: ['Wallet'] };

export interface WalletRouteDeps {
  readonly sql: Sql;
  readonly currency: string;
  readonly identify: Identify;
  readonly inBatches: InBatches;
  /** `queue-token`: only a live queue token gives access; otherwise an access token does, too. */
  readonly walletGate: 'queue-token' | undefined;
  readonly requireLivePlace: (caller: Caller) => Promise<void>;
  readonly limit: { readonly charge: Limit };
}

export const walletRoutes =
  ({ sql, currency, identify, inBatches, walletGate, requireLivePlace, limit }: WalletRouteDeps): Routes =>
  (app) => {
    const charge = inBatches(createChargeWallet(currency));

    async function requireWalletAccess(caller: Caller): Promise<void> {
      if (caller.kind === 'queue' || walletGate === 'queue-token') await requireLivePlace(caller);
    }

    app.get(
      '/wallet',
      {
        schema: { ...TAGS, summary: 'Your balance', response: { 200: BalanceSchema } },
        config: { credential: 'either', refuses: ['ACCESS_DENIED', 'USER_NOT_FOUND'] },
      },
      async (request) => {
        const caller = identify(request);
        await requireWalletAccess(caller);
        return { balance: await balanceOf(caller.userId), currency };
      },
    );

    app.post(
      '/wallet/charges',
      {
        schema: {
          ...TAGS,
          summary: 'Charge your wallet',
          body: closed({ amount: Amount }),
          response: { 201: ChargedSchema },
        },
        config: {
          credential: 'either',
          idempotent: true,
          refuses: [
            'ACCESS_DENIED',
            'USER_NOT_FOUND',
            'INVALID_AMOUNT',
            'BALANCE_LIMIT_EXCEEDED',
            'TOO_MANY_REQUESTS',
          ],
        },
      },
      async (request, reply) => {
        const caller = identify(request);
        return charge(request, reply, caller, {
          limit: () => limit.charge(request, caller),
          async prepare() {
            await requireWalletAccess(caller);
            return { userId: caller.userId, amount: request.body.amount };
          },
        });
      },
    );

    app.get(
      '/wallet/entries',
      {
        schema: {
          ...TAGS,
          summary: 'What moved your balance, newest first',
          querystring: PageQuery,
          response: { 200: listOf(EntrySchema) },
        },
        config: { credential: 'either', refuses: ['ACCESS_DENIED', 'USER_NOT_FOUND'] },
      },
      async (request) => {
        const caller = identify(request);
        await requireWalletAccess(caller);
        const page = await pageOfRows(
          request.query,
          ([before], limit) => sql.reader.all(listEntries, [caller.userId, before, limit]),
          toEntry,
          (row) => [row.position, ''],
        );
        if (page.items.length === 0) await balanceOf(caller.userId);
        return page;
      },
    );

    async function balanceOf(userId: string): Promise<number> {
      const wallet = await sql.reader.get(findBalance, [userId]);
      if (!wallet) throw new Refusal('USER_NOT_FOUND');
      return wallet.balance;
    }
  };
