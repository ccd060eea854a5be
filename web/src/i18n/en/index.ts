import { account } from './account.js';
import { common } from './common.js';
import { denials, network, refusals } from './refusals.js';

/** The texts in English. What they have, the other languages must have: the compiler says what is missing. */
export const en = { common, account, refusals, denials, network };
