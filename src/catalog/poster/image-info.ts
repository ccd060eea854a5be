/** What the bytes of an image say about it. The name and the declared type of an upload are not trusted. */
export interface ImageInfo {
  readonly mediaType: 'image/png' | 'image/jpeg' | 'image/webp';
  readonly width: number;
  readonly height: number;
}

export interface ReadImage {
  readonly info: ImageInfo;
  /** Without metadata: a camera writes its position into it, and posters are public. */
  readonly content: Buffer;
}
