import { account } from './account.js';
import { checkout, receipt, seats } from './booking.js';
import { common } from './common.js';
import { concerts, dates } from './concerts.js';
import { mine } from './mine.js';
import { denials, network, refusals } from './refusals.js';
import { waiting } from './waiting.js';

/** The texts in English. What they have, the other languages must have: the compiler says what is missing. */
export const en = {
  common,
  account,
  concerts,
  dates,
  waiting,
  seats,
  checkout,
  receipt,
  mine,
  refusals,
  denials,
  network,
};
