import { describe, expect, it } from 'vitest';
import { DATABASES } from '../support/databases.js';
import { useFoyer, useOwnFoyer } from '../support/foyer.js';
import { openSale } from '../support/sale.js';

const TITLE = '<script>alert("1")</script> & $& \'겨울밤\'';

describe.each(DATABASES)('a shared link, on $name', (database) => {
  const foyer = useFoyer(database);

  const open = async (path: string) => {
    const answers = await Promise.all(foyer.urls.map((url) => fetch(`${url}${path}`)));
    const texts = await Promise.all(answers.map((answer) => answer.text()));
    // Every process serves the same document, except for its own address.
    expect(new Set(answers.map(({ status }) => status)).size).toBe(1);
    return { answer: answers[0], html: texts[0] ?? '' };
  };
  const contentOf = (html: string, name: string): string | undefined =>
    new RegExp(`<meta (?:name|property)="${name}" content="([^"]*)" />`).exec(html)?.[1];

  it('shows title, venue and date of its concert, and nothing a promoter typed as markup', async () => {
    const sale = await openSale(foyer.client, foyer.operator, {
      concert: {
        title: TITLE,
        venue: 'Hall "A"',
        description: `First line.\n${'long '.repeat(100)}`,
        timeZone: 'America/New_York',
        schedules: [
          {
            startsAt: '2031-01-02T00:30:00Z',
            sections: [{ name: 'A', rows: 1, seatsPerRow: 1, grade: 'R', price: 1 }],
          },
        ],
      },
    });
    const escaped = '&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; $&amp; &#39;겨울밤&#39;';
    for (const path of ['', '/waiting', '/dates', `/dates/${sale.scheduleIds[0] ?? ''}`]) {
      const { answer, html } = await open(`/concerts/${sale.concertId}${path}`);
      expect(answer?.status).toBe(200);
      expect(answer?.headers.get('content-security-policy')).toContain("script-src 'self'");
      expect(html).toContain(`<title>${escaped} · Foyer</title>`);
      expect(html).not.toContain('<script>alert');
      expect(contentOf(html, 'og:title')).toBe(escaped);
      const description = contentOf(html, 'og:description') ?? '';
      expect(description).toMatch(/^2031\.01\.01 19:30 · Hall &quot;A&quot; · First line\. long /);
      expect(description.length).toBeLessThan(230);
      expect(contentOf(html, 'description')).toBe(description);
      expect(contentOf(html, 'og:url')).toMatch(
        new RegExp(`^http://127.0.0.1[:0-9]*/concerts/${sale.concertId}$`),
      );
      expect(contentOf(html, 'og:image')).toMatch(/^http:\/\/127\.0\.0\.1[:0-9]*\/share\.png$/);
    }
  });

  it('changes with the concert, and is not sent again while it is the same', async () => {
    const sale = await openSale(foyer.client, foyer.operator, { concert: { title: 'Before' } });
    const path = `/concerts/${sale.concertId}`;
    const before = await open(path);
    const etag = before.answer?.headers.get('etag') ?? '';
    const again = await fetch(`${foyer.url}${path}`, { headers: { 'if-none-match': etag } });
    expect(again.status).toBe(304);
    await foyer.client.call('PATCH', `/operator${path}`, { token: foyer.operator, body: { title: 'After' } });
    const after = await fetch(`${foyer.url}${path}`, { headers: { 'if-none-match': etag } });
    expect(after.status).toBe(200);
    expect(await after.text()).toContain('<title>After · Foyer</title>');
  });

  it('shows the site for a draft until it is published, and for what does not exist', async () => {
    const sale = await openSale(foyer.client, foyer.operator, {
      concert: { title: 'Secret Night', draft: true },
    });
    const path = `/concerts/${sale.concertId}`;
    for (const each of [path, '/concerts/nowhere', '/concerts/%22%3E', '/']) {
      const { answer, html } = await open(each);
      expect(answer?.status).toBe(200);
      expect(html).toContain('<title>Foyer</title>');
      expect(contentOf(html, 'og:title')).toBe('Foyer');
      expect(html).not.toContain('Secret Night');
    }
    await foyer.client.post(`/operator${path}/publish`, foyer.operator);
    expect((await open(path)).html).toContain('<title>Secret Night · Foyer</title>');
  });

  it.each([
    ['/favicon.ico', 'image/x-icon', '00000100'],
    ['/apple-touch-icon.png', 'image/png', '89504e47'],
    ['/icon-192.png', 'image/png', '89504e47'],
    ['/share.png', 'image/png', '89504e47'],
  ])('has a picture at %s', async (path, type, start) => {
    const answer = await fetch(`${foyer.url}${path}`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe(type);
    expect(answer.headers.get('cache-control')).toBe('public, max-age=86400');
    expect(Buffer.from(await answer.arrayBuffer()).toString('hex')).toMatch(new RegExp(`^${start}`));
  });

  it('has a manifest whose icons exist', async () => {
    const answer = await fetch(`${foyer.url}/manifest.webmanifest`);
    expect(answer.headers.get('content-type')).toBe('application/manifest+json; charset=utf-8');
    const manifest: { name: string; start_url: string; icons: { src: string }[] } = JSON.parse(
      await answer.text(),
    );
    expect(manifest).toMatchObject({ name: 'Foyer', start_url: '/', display: 'standalone' });
    for (const { src } of manifest.icons) expect((await fetch(`${foyer.url}${src}`)).status).toBe(200);
    const html = await (await fetch(foyer.url)).text();
    expect(html).toContain('<link rel="manifest" href="/manifest.webmanifest"');
    expect(html).toContain('<link rel="apple-touch-icon" href="/apple-touch-icon.png"');
    expect(html).not.toContain('foyer:demo');
  });
});

describe.each(DATABASES)('the demo, on $name', (database) => {
  const foyer = useOwnFoyer(database, { FOYER_DEMO: '1', FOYER_PUBLIC_URL: 'https://tickets.example' });

  it('is marked for its pages, and links with its public address', async () => {
    const html = await (await fetch(foyer.url)).text();
    expect(html).toContain('<meta name="foyer:demo" content="on" />');
    expect(html).toContain('<meta property="og:image" content="https://tickets.example/share.png" />');
  });
});
