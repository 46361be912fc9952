/** Downloads a file from an address, also where the server would let the browser display it. The page stays. */
export function saveFile(address: string, name = ''): void {
  Object.assign(document.createElement('a'), { href: address, download: name }).click()
}

/** The bytes of a reply in one piece. */
export async function toBlob(bytes: AsyncIterable<Uint8Array>, type: string): Promise<Blob> {
  const pieces: BlobPart[] = []
  for await (const piece of bytes) pieces.push(new Uint8Array(piece))
  return new Blob(pieces, { type })
}
