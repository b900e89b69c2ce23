/** `<image>`, `<image 1>`, `<image_1>`, `<|image|>`, `<|image_1|>`, likewise for audio and documents; and `{field}`. */
export const mediaMark = /<\|?(image|audio|document)(?:[ _](\d{1,3}))?\|?>|\{(\w{1,64})\}/g
