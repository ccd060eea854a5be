import type { Dictionary } from '../dictionary.js';
import { account } from './account.js';
import { checkout, receipt, seats } from './booking.js';
import { common } from './common.js';
import { concerts, dates } from './concerts.js';
import { mailedLinks } from './mailed-links.js';
import { myTickets } from './my-tickets.js';
import { personalData } from './personal-data.js';
import { placeBar } from './place-bar.js';
import { denials, network, refusals } from './refusals.js';
import { waiting } from './waiting.js';

export const ko: Dictionary = {
  common,
  account,
  concerts,
  dates,
  waiting,
  seats,
  checkout,
  receipt,
  mailedLinks,
  myTickets,
  personalData,
  placeBar,
  refusals,
  denials,
  network,
};
