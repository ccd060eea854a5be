import type { en } from './en/index.js';

/** The texts of the promoter's pages: they come with them, so that no fan loads them. */
export type OperatorText = typeof en;
