/**
 * Zip archives, written while they are sent: one entry after the other, in constant memory. File names are UTF-8. Zip64
 * is used for entries or archives of 4 GiB and more. A failing entry fails the whole archive.
 */
import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { ZipFile } from 'yazl'

export interface ZipEntry {
  /** A relative path with `/`. Absolute paths and `..` are refused. */
  readonly name: string
  /**
   * Opens its source when the first chunk is requested, because entries are skipped if the client disconnects. Chunks
   * are queued, so the source must not reuse their buffers.
   */
  readonly bytes: AsyncIterable<Buffer | string>
  /** False for images and videos, which do not get smaller. */
  readonly compress: boolean
  /** If known, an entry of another size fails. */
  readonly size?: number
  /** The current time by default. */
  readonly modifiedAt?: Date
}

/**
 * The next entry is requested when the previous one has been written, so a list can name entries it learned of
 * meanwhile.
 */
export function toZip(entries: AsyncIterable<ZipEntry> | Iterable<ZipEntry>): Readable {
  const zip = new ZipFile()
  const out = zip.outputStream as unknown as Readable
  const fail = (error: Error) => void out.destroy(error)
  let open: Readable | undefined
  zip.on('error', fail)
  out.once('close', () => open?.destroy())
  const addAll = async () => {
    for await (const { name, bytes, compress, size, modifiedAt } of entries) {
      if (out.destroyed) return
      open = Readable.from(bytes, { objectMode: false })
      const options = { compress, ...(size !== undefined && { size }), ...(modifiedAt && { mtime: modifiedAt }) }
      zip.addReadStream(open, name, options)
      await finished(open)
    }
    zip.end()
  }
  addAll().catch(fail)
  return out
}
