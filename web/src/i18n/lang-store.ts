import { type Lang, LANGS } from './dictionary.js';

const KEY = 'foyer.lang';

const isLang = (value: unknown): value is Lang => LANGS.some((lang) => lang === value);

function chosen(): Lang | undefined {
  const kept = localStorage.getItem(KEY);
  return isLang(kept) ? kept : undefined;
}

/** What was chosen here before; else what the browser prefers; else English, which most others can read. */
function preferred(): Lang {
  const wanted = navigator.languages.map((tag) => tag.slice(0, 2).toLowerCase()).find(isLang);
  return chosen() ?? wanted ?? 'en';
}

let current = preferred();
const listeners = new Set<() => void>();

function become(lang: Lang): void {
  current = lang;
  document.documentElement.lang = lang;
  for (const listener of listeners) listener();
}

document.documentElement.lang = current;
window.addEventListener('storage', ({ key }) => {
  if (key === KEY) become(preferred());
});

/** The language of the pages, the same in every tab. */
export const langStore = {
  get: (): Lang => current,
  set(lang: Lang): void {
    localStorage.setItem(KEY, lang);
    become(lang);
  },
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};
