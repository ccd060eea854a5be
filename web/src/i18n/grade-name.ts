import type { Lang } from './dictionary.js';

/** The name of a grade as it is written next to a price: VIP석 in Korean. */
export const gradeName = (lang: Lang, grade: string): string =>
  lang === 'en' || grade === '' || grade.endsWith('석') ? grade : `${grade}석`;
