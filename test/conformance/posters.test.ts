import { describe, expect, it } from 'vitest';
import { DATABASES } from '../support/databases.js';
import { useFoyer } from '../support/foyer.js';
import { jpegImage, jpegSegment, pngChunk, pngImage, webpChunk, webpImage } from '../support/images.js';
import { uploadPoster } from '../support/posters.js';
import { openSale, signUpFan } from '../support/sale.js';

interface PosterView {
  readonly path: string;
}

const half = (image: Buffer): Buffer => image.subarray(0, image.length / 2);

/** Ends a WebP after its first chunk. */
function withoutPixels(webp: Buffer): Buffer {
  const header = Buffer.from(webp.subarray(0, 30));
  header.writeUInt32LE(header.length - 8, 4);
  return header;
}

const POSTER_MAX_BYTES = 2 * 1024 * 1024;

describe.each(DATABASES)('the poster of a concert, on $name', (database) => {
  const foyer = useFoyer(database);
  const concertOf = async (id: string): Promise<{ readonly poster: PosterView }> =>
    (await foyer.client.get(`/concerts/${id}`)).body;

  it.each([
    ['image/png', pngImage(300, 400)],
    ['image/jpeg', jpegImage(300, 400)],
    ['image/webp', webpImage(300, 400)],
    ['image/webp', webpImage(300, 400, 'VP8L')],
    ['image/webp', webpImage(300, 400, 'VP8 ')],
  ])('is served byte for byte as %s, for good and without scripts', async (type, image) => {
    const { concertId } = await openSale(foyer.client, foyer.operator);
    expect((await concertOf(concertId)).poster).toBeNull();
    const uploaded = await uploadPoster(foyer, concertId, image, { type });
    expect(uploaded.status).toBe(200);
    const { poster } = await concertOf(concertId);
    expect(poster).toMatchObject({ width: 300, height: 400 });
    expect(poster.path).toMatch(new RegExp(`^/api/v1/concerts/${concertId}/posters/[\\w-]{22}$`));
    for (const url of foyer.urls) {
      const answer = await fetch(url + poster.path);
      expect(answer.status).toBe(200);
      expect(Buffer.from(await answer.arrayBuffer()).equals(image)).toBe(true);
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        'content-type': type,
        'cache-control': 'public, max-age=31536000, immutable',
        'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
        'x-content-type-options': 'nosniff',
      });
      const etag = answer.headers.get('etag') ?? '';
      const again = await fetch(url + poster.path, { headers: { 'if-none-match': etag } });
      expect(again.status).toBe(304);
    }
  });

  it('is what its content says, not what its upload says', async () => {
    const { concertId } = await openSale(foyer.client, foyer.operator);
    expect((await uploadPoster(foyer, concertId, jpegImage(300, 300), { type: 'image/png' })).status).toBe(
      200,
    );
    const { poster } = await concertOf(concertId);
    expect((await fetch(foyer.url + poster.path)).headers.get('content-type')).toBe('image/jpeg');
  });

  it.each([
    ['HTML', Buffer.from('<script>alert(1)</script>'), 415, 'IMAGE_TYPE_UNSUPPORTED'],
    ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 415, 'IMAGE_TYPE_UNSUPPORTED'],
    ['GIF', Buffer.from('GIF89a\u0001\u0001'), 415, 'IMAGE_TYPE_UNSUPPORTED'],
    ['half a PNG', pngImage(300, 300).subarray(0, 60), 415, 'IMAGE_TYPE_UNSUPPORTED'],
    ['half a JPEG', half(jpegImage(300, 300)), 415, 'IMAGE_TYPE_UNSUPPORTED'],
    ['a JPEG without its end', jpegImage(300, 300).subarray(0, -2), 415, 'IMAGE_TYPE_UNSUPPORTED'],
    ['half a WebP', half(webpImage(300, 300)), 415, 'IMAGE_TYPE_UNSUPPORTED'],
    ['half a lossy WebP', half(webpImage(300, 300, 'VP8 ')), 415, 'IMAGE_TYPE_UNSUPPORTED'],
    ['half a lossless WebP', half(webpImage(300, 300, 'VP8L')), 415, 'IMAGE_TYPE_UNSUPPORTED'],
    ['a WebP without pixels', withoutPixels(webpImage(300, 300)), 415, 'IMAGE_TYPE_UNSUPPORTED'],
    ['a JPEG without a frame', Buffer.from([0xff, 0xd8, 0xff, 0xd9]), 415, 'IMAGE_TYPE_UNSUPPORTED'],
    ['nothing', Buffer.alloc(0), 415, 'IMAGE_TYPE_UNSUPPORTED'],
    ['199 pixels', pngImage(199, 300), 422, 'IMAGE_DIMENSIONS_INVALID'],
    ['4097 pixels', jpegImage(300, 4097), 422, 'IMAGE_DIMENSIONS_INVALID'],
    ['2 MiB and more', pngImage(300, 300, '#000000', POSTER_MAX_BYTES), 413, 'IMAGE_TOO_LARGE'],
  ])('is refused if it is %s', async (_what, image, status, code) => {
    const { concertId } = await openSale(foyer.client, foyer.operator);
    const answer = await uploadPoster(foyer, concertId, image);
    expect([answer.status, JSON.parse(await answer.text())]).toMatchObject([status, { code }]);
    expect((await concertOf(concertId)).poster).toBeNull();
  });

  const position = Buffer.from('37.5665 N 126.9780 E');
  const exif = (entries: readonly number[]) =>
    jpegSegment(
      0xe1,
      Buffer.concat([
        Buffer.from('Exif\0\0II*\0\u0008\0\0\0', 'latin1'),
        Buffer.from([entries.length / 12, 0, ...entries]),
        position,
      ]),
    );
  const profile = jpegSegment(0xe2, Buffer.from('ICC_PROFILE\0profile'));
  const adobe = jpegSegment(0xee, Buffer.from('Adobe'));
  /** An unsigned short that says: turn right by 90 degrees. */
  const turned = [0x12, 0x01, 3, 0, 1, 0, 0, 0, 6, 0, 0, 0];
  const onlyTurned = jpegSegment(
    0xe1,
    Buffer.concat([
      Buffer.from('Exif\0\0MM\0*\0\0\0\u0008', 'latin1'),
      Buffer.from([0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0, 0, 0, 0, 0]),
    ]),
  );

  it.each([
    [
      'PNG',
      pngImage(300, 400, '#123456', 0, [
        pngChunk('eXIf', position),
        pngChunk('gAMA', Buffer.alloc(4)),
        ...['tEXt', 'iTXt', 'zTXt', 'tIME'].map((type) => pngChunk(type, position)),
      ]),
      pngImage(300, 400, '#123456', 0, [pngChunk('gAMA', Buffer.alloc(4))]),
    ],
    [
      'JPEG',
      jpegImage(300, 400, [
        exif([]),
        profile,
        jpegSegment(0xe2, position),
        jpegSegment(0xed, position),
        adobe,
        jpegSegment(0xfe, position),
      ]),
      jpegImage(300, 400, [profile, adobe]),
    ],
    ['turned JPEG', jpegImage(300, 400, [exif(turned)]), jpegImage(300, 400, [onlyTurned])],
    ['JPEG with a trailer', Buffer.concat([jpegImage(300, 400), position]), jpegImage(300, 400)],
    [
      'WebP',
      webpImage(300, 400, 'VP8X', 0b1_1100, [webpChunk('EXIF', position), webpChunk('XMP ', position)]),
      webpImage(300, 400, 'VP8X', 0b1_0000),
    ],
  ])('is stored without the metadata of its %s', async (_what, uploaded, stored) => {
    const { concertId } = await openSale(foyer.client, foyer.operator);
    expect((await uploadPoster(foyer, concertId, uploaded)).status).toBe(200);
    const { poster } = await concertOf(concertId);
    const served = Buffer.from(await (await fetch(foyer.url + poster.path)).arrayBuffer());
    expect(served.includes(position)).toBe(false);
    expect(served.toString('hex')).toBe(stored.toString('hex'));
  });

  it('may have exactly 2 MiB', async () => {
    const { concertId } = await openSale(foyer.client, foyer.operator);
    const spare = POSTER_MAX_BYTES - pngImage(200, 200, '#000000', 1).length + 1;
    const image = pngImage(200, 200, '#000000', spare);
    expect(image.length).toBe(POSTER_MAX_BYTES);
    expect((await uploadPoster(foyer, concertId, image)).status).toBe(200);
    const { poster } = await concertOf(concertId);
    const served = await (await fetch(foyer.url + poster.path)).arrayBuffer();
    expect(served.byteLength).toBe(POSTER_MAX_BYTES);
  });

  it('is uploaded by operators only, as an image, to a concert that exists', async () => {
    const { concertId } = await openSale(foyer.client, foyer.operator);
    const fan = await signUpFan(foyer.client);
    const image = pngImage(200, 200);
    const codeOf = async (answer: Response) => JSON.parse(await answer.text()).code;
    expect(await codeOf(await uploadPoster(foyer, concertId, image, { token: fan.accessToken }))).toBe(
      'FORBIDDEN',
    );
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>');
    for (const type of ['image/heic', 'image/svg+xml', 'application/json'])
      expect(await codeOf(await uploadPoster(foyer, concertId, svg, { type }))).toBe(
        'IMAGE_TYPE_UNSUPPORTED',
      );
    expect(await codeOf(await uploadPoster(foyer, 'nowhere', image))).toBe('CONCERT_NOT_FOUND');
    // Every other call still accepts JSON only.
    const posted = await fetch(`${foyer.url}/api/v1/sessions`, {
      method: 'POST',
      headers: { 'content-type': 'image/png' },
      body: new Uint8Array(image),
    });
    expect(await codeOf(posted)).toBe('UNSUPPORTED_MEDIA_TYPE');
  });

  it('gets a new address when it is replaced, and is erased when it is removed; the log names both', async () => {
    const { client, operator } = foyer;
    const { concertId } = await openSale(client, operator);
    await uploadPoster(foyer, concertId, pngImage(200, 200, '#111111'));
    const first = (await concertOf(concertId)).poster;
    await uploadPoster(foyer, concertId, pngImage(200, 200, '#222222'));
    const second = (await concertOf(concertId)).poster;
    expect(second.path).not.toBe(first.path);
    for (const url of foyer.urls) expect((await fetch(url + first.path)).status).toBe(404);

    const removed = await client.delete(`/operator/concerts/${concertId}/poster`, operator);
    expect(removed).toMatchObject({ status: 200, body: { poster: null } });
    for (const url of foyer.urls) expect((await fetch(url + second.path)).status).toBe(404);
    expect((await concertOf(concertId)).poster).toBeNull();
    expect((await client.delete(`/operator/concerts/${concertId}/poster`, operator)).status).toBe(200);

    const { items } = (await client.get(`/operator/concerts/${concertId}/audit`, operator)).body;
    const changes = items.filter(({ action }: { action: string }) => action === 'CONCERT_EDITED');
    expect(changes.map(({ details }: { details: object }) => Object.keys(details))).toEqual([
      ['poster'],
      ['poster'],
      ['poster'],
    ]);
  });

  it('is copied with its concert and then belongs to the copy', async () => {
    const { client, operator } = foyer;
    const { concertId } = await openSale(client, operator);
    const image = pngImage(220, 230, '#123456');
    await uploadPoster(foyer, concertId, image);
    const copied = await client.post(`/operator/concerts/${concertId}/duplicate`, operator, {});
    await client.delete(`/operator/concerts/${concertId}/poster`, operator);
    const { poster } = await concertOf(copied.body.id);
    expect(poster).toMatchObject({ width: 220, height: 230 });
    const served = await fetch(foyer.url + poster.path);
    expect(Buffer.from(await served.arrayBuffer()).equals(image)).toBe(true);
  });

  it('is the picture of the shared link', async () => {
    const { concertId } = await openSale(foyer.client, foyer.operator);
    await uploadPoster(foyer, concertId, pngImage(300, 420));
    const { poster } = await concertOf(concertId);
    const html = await (await fetch(`${foyer.url}/concerts/${concertId}`)).text();
    expect(html).toMatch(new RegExp(`<meta property="og:image" content="http://[^"]*${poster.path}" />`));
    expect(html).toContain('<meta property="og:image:height" content="420" />');
  });
});
