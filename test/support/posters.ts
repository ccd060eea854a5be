import type { UsedFoyer } from './foyer.js';

/** Uploads a poster as an operator, to the first server. */
export const uploadPoster = (
  { url, operator }: Pick<UsedFoyer, 'url' | 'operator'>,
  concertId: string,
  image: Buffer,
  { type = 'image/png', token = operator }: { type?: string; token?: string } = {},
): Promise<Response> =>
  fetch(`${url}/api/v1/operator/concerts/${concertId}/poster`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${token}`, 'content-type': type },
    body: new Uint8Array(image),
  });
