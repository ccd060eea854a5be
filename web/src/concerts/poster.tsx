/** A hue of its own for every concert, the same each time. */
function hueOf(text: string): number {
  let hash = 7;
  for (let index = 0; index < text.length; index += 1) hash = (hash * 31 + text.charCodeAt(index)) % 3600;
  return hash % 360;
}

/** Stage lights in the concert's own colour, where a promoter has no picture. */
export function Poster({ of }: { readonly of: string }) {
  return <div className="poster" aria-hidden="true" style={{ '--hue': hueOf(of) }} />;
}
