/** A stable hue for each concert id. */
function hueOf(text: string): number {
  let hash = 7;
  for (let index = 0; index < text.length; index += 1) hash = (hash * 31 + text.charCodeAt(index)) % 3600;
  return hash % 360;
}

/** Generated artwork in the concert's hue, in place of a picture. */
export function Poster({ of }: { readonly of: string }) {
  return <div className="poster" aria-hidden="true" style={{ '--hue': hueOf(of) }} />;
}
