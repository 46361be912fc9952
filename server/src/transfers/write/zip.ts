/**
 * A zip that is written while it is sent: one entry after the other, in constant memory. A failing entry fails the
 * whole zip.
 */
import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { ZipFile } from 'yazl'
import type { Bytes } from '../read/source.ts'

export interface ZipEntry {
  readonly name: string
  readonly bytes: AsyncIterable<Buffer | string>
  /** Pictures and films do not compress. */
  readonly compress: boolean
}

/**
 * The next entry is requested when the previous one has been written, so a list can name entries it learned of
 * meanwhile.
 */
export function toZip(entries: AsyncIterable<ZipEntry>): Bytes {
  const zip = new ZipFile()
  const out = zip.outputStream as unknown as Readable
  const fail = (error: Error) => void out.destroy(error)
  let open: Readable | undefined
  zip.on('error', fail)
  out.once('close', () => open?.destroy())
  const addAll = async () => {
    for await (const { name, bytes, compress } of entries) {
      open = Readable.from(bytes, { objectMode: false })
      zip.addReadStream(open, name, { compress })
      await finished(open)
    }
    zip.end()
  }
  addAll().catch(fail)
  return out
}
