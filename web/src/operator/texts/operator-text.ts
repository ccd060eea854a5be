import type { en } from './en/index.js';

/** The texts of the promoter's pages. They are separate from the others so that fans do not download them. */
export type OperatorText = typeof en;
