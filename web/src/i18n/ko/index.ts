import type { Dictionary } from '../dictionary.js';
import { account } from './account.js';
import { common } from './common.js';
import { denials, network, refusals } from './refusals.js';

export const ko: Dictionary = { common, account, refusals, denials, network };
