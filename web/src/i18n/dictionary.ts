import type { en } from './en/index.js';

export type Dictionary = typeof en;
export type Lang = 'ko' | 'en';
export const LANGS: readonly Lang[] = ['ko', 'en'];
/** Each language's own name, for the language switch. */
export const LANG_NAMES: Readonly<Record<Lang, string>> = { ko: '한국어', en: 'English' };
