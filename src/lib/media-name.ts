/** Whether a file is by its name a picture, a recording or a document, such as tasks show. */
export function isMediaName(name: string): boolean {
  return /\.(?:png|jpe?g|webp|gif|bmp|tiff?|svg|heic|avif|wav|mp3|flac|ogg|m4a|pdf|mp4|mov|webm)$/i.test(name)
}
