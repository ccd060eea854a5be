import { createPersistedStore } from '../store/index.js';
import { type Lang, LANGS } from './dictionary.js';

const isLang = (value: unknown): value is Lang => LANGS.some((lang) => lang === value);

/** The language chosen earlier, else the first supported one the browser prefers, else English. */
function parseLang(stored: unknown): Lang {
  if (isLang(stored)) return stored;
  return navigator.languages.map((tag) => tag.slice(0, 2).toLowerCase()).find(isLang) ?? 'en';
}

/** The language of the pages. */
export const langStore = createPersistedStore('foyer.lang', parseLang);

const updateDocument = (): void => {
  document.documentElement.lang = langStore.get();
};
updateDocument();
langStore.subscribe(updateDocument);
