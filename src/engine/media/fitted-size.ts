export interface PixelSize {
  readonly width: number
  readonly height: number
}

/** The largest size of about the same shape with at most so many pixels; the size itself where it has no more. */
export function fittedSize({ width, height }: PixelSize, maxPixels: number): PixelSize {
  if (width * height <= maxPixels) return { width, height }
  const scale = Math.sqrt(maxPixels / (width * height))
  const short = Math.max(1, Math.floor(Math.min(width, height) * scale))
  // A line has one pixel across, whatever the scale.
  const long = Math.min(Math.floor(maxPixels / short), Math.max(1, Math.floor(Math.max(width, height) * scale)))
  return width < height ? { width: short, height: long } : { width: long, height: short }
}

/** A file as it is sent where images have at most so many pixels; its bytes are not known yet then. */
export function fittedFile<File extends { readonly width: number | null; readonly height: number | null }>(
  file: File,
  maxPixels: number | undefined,
): File {
  const { width, height } = file
  return maxPixels !== undefined && width && height ? { ...file, ...fittedSize({ width, height }, maxPixels) } : file
}
