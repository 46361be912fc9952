/** Texts are encoded many at a time: a buffer for each row would cost more than the row. */
const chunkLength = 64 * 1024

export async function* inChunks(texts: AsyncIterable<string>): AsyncGenerator<Buffer> {
  let chunk = ''
  for await (const text of texts) {
    chunk += text
    if (chunk.length < chunkLength) continue
    yield Buffer.from(chunk)
    chunk = ''
  }
  if (chunk !== '') yield Buffer.from(chunk)
}
