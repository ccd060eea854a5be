/** Title and Open Graph tags of the served document: what a chat or a search engine shows of a shared link. */

interface Image {
  /** On this server. */
  readonly path: string;
  readonly width: number;
  readonly height: number;
}

/** A concert as its shared link shows it. */
export interface SharedConcert {
  readonly id: string;
  readonly title: string;
  readonly venue: string;
  readonly description: string;
  readonly timeZone: string;
  readonly firstStartsAtMs: number;
  readonly lastStartsAtMs: number;
  /** Null: it has none. */
  readonly poster: Image | null;
}

const SITE = 'Foyer';
const SITE_DESCRIPTION = 'Foyer: fair concert tickets. 공정한 줄서기로 만나는 콘서트 예매.';
/** web/public/share.png, drawn by scripts/icons.mjs. */
const SITE_IMAGE = { path: '/share.png', width: 1200, height: 630 };
const DESCRIPTION_MAX_CHARS = 200;
/** Of a long description only the beginning is read. Runs of spaces are shown as one. */
const DESCRIPTION_READ_MAX_CHARS = 5 * DESCRIPTION_MAX_CHARS;

/** The part of web/index.html that is replaced. */
const HEAD = /<!-- head: [^>]* -->[\s\S]*<!-- \/head -->/;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');

const tag = (attribute: 'name' | 'property', name: string, content: string | number): string =>
  `<meta ${attribute}="${name}" content="${escapeHtml(String(content))}" />`;

function shorten(text: string): string {
  const start = text.slice(0, DESCRIPTION_READ_MAX_CHARS);
  const characters = Array.from(start.replace(/\s+/g, ' ').trim());
  if (characters.length <= DESCRIPTION_MAX_CHARS) return characters.join('');
  return `${characters.slice(0, DESCRIPTION_MAX_CHARS - 1).join('')}…`;
}

/** `2026.11.14 19:00`, in the venue's time zone: the same in every language. */
function formatTime(ms: number, timeZone: string): { day: string; time: string } {
  const parts = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    dateStyle: 'short',
    timeStyle: 'short',
    hourCycle: 'h23',
  }).format(ms);
  const [day = '', time = ''] = parts.split(', ');
  return { day: day.replaceAll('-', '.'), time };
}

function formatDates({ firstStartsAtMs, lastStartsAtMs, timeZone }: SharedConcert): string {
  const first = formatTime(firstStartsAtMs, timeZone);
  const last = formatTime(lastStartsAtMs, timeZone);
  return first.day === last.day ? `${first.day} ${first.time}` : `${first.day} – ${last.day}`;
}

interface Head {
  readonly title: string;
  readonly description: string;
  readonly path: string;
  readonly image: Image;
}

const tagsOf = ({ title, description, path, image }: Head, publicUrl: string): string[] => [
  tag('name', 'description', description),
  `<title>${escapeHtml(title === SITE ? SITE : `${title} · ${SITE}`)}</title>`,
  `<link rel="canonical" href="${escapeHtml(publicUrl + path)}" />`,
  tag('property', 'og:site_name', SITE),
  tag('property', 'og:type', 'website'),
  tag('property', 'og:title', title),
  tag('property', 'og:description', description),
  tag('property', 'og:url', publicUrl + path),
  tag('property', 'og:image', publicUrl + image.path),
  tag('property', 'og:image:width', image.width),
  tag('property', 'og:image:height', image.height),
  tag('name', 'twitter:card', image.width > image.height ? 'summary_large_image' : 'summary'),
];

export interface HeadOptions {
  /** Where fans reach this installation. */
  readonly publicUrl: string;
  /** The pages of the demo link the promoter's part. */
  readonly isDemo: boolean;
}

/** The document with the head of the site, or of a concert. Everything a promoter has typed is escaped. */
export function withHead(html: string, { publicUrl, isDemo }: HeadOptions, concert?: SharedConcert): string {
  const head: Head = concert
    ? {
        title: concert.title,
        description: shorten(
          [formatDates(concert), concert.venue, concert.description].filter(Boolean).join(' · '),
        ),
        path: `/concerts/${encodeURIComponent(concert.id)}`,
        image: concert.poster ?? SITE_IMAGE,
      }
    : { title: SITE, description: SITE_DESCRIPTION, path: '/', image: SITE_IMAGE };
  const tags = [...tagsOf(head, publicUrl), ...(isDemo ? [tag('name', 'foyer:demo', 'on')] : [])];
  // A function, because `$` has a meaning in a replacement text.
  return html.replace(HEAD, () => tags.join('\n    '));
}
