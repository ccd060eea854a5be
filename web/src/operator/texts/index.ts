import { type Lang, useLang } from '../../i18n/index.js';
import { en } from './en/index.js';
import { ko } from './ko/index.js';
import type { OperatorText } from './operator-text.js';

export type { OperatorText } from './operator-text.js';

const TEXTS: Readonly<Record<Lang, OperatorText>> = { ko, en };

export const useOperatorText = (): OperatorText => TEXTS[useLang()];
