import { useMemo, useState } from 'react';
import type { Concert } from '../../api/index.js';
import { drawMotif, HEIGHT, WIDTH } from './motifs.js';
import { designOf } from './poster-design.js';

type PosterConcert = Pick<Concert, 'title' | 'venue' | 'poster'>;

interface Props {
  readonly of: PosterConcert;
  /** Of the picture, for screen readers; empty beside the concert's title. */
  readonly alt?: string;
}

/** The picture that the promoter has uploaded, or, also if it cannot be shown, a drawing with the concert's title. */
export function Poster({ of, alt = '' }: Props) {
  const { poster } = of;
  const [failedPath, setFailedPath] = useState<string>();
  if (!poster || poster.path === failedPath) return <DrawnPoster of={of} />;
  return (
    <div className="poster">
      <img
        src={poster.path}
        width={poster.width}
        height={poster.height}
        alt={alt}
        decoding="async"
        onError={() => setFailedPath(poster.path)}
      />
    </div>
  );
}

function DrawnPoster({ of: { title, venue } }: { readonly of: PosterConcert }) {
  const drawing = useMemo(() => {
    const design = designOf(title);
    return (
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="xMidYMid slice">
        <rect width={WIDTH} height={HEIGHT} fill={design.palette.ground} />
        {drawMotif(design)}
      </svg>
    );
  }, [title]);
  return (
    <div className="poster poster-drawn" aria-hidden="true">
      {drawing}
      <div className="poster-words">
        <p className="poster-title">{title}</p>
        <p className="poster-venue">{venue}</p>
      </div>
    </div>
  );
}
