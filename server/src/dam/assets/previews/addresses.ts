/**
 * Addresses of previews for pages that show many: without a token, and such that browsers keep what they got.
 *
 *   …/assets/previews/bin/<sha256>.<size>.jpg?until=<seconds>&key=<signature>
 *
 * An address names the bytes themselves, so that they never change and no table need be asked. It is the same all day for
 * everybody who may see the asset, and good for one to two days.
 */
import { timingSafeEqual } from 'node:crypto'
import { Missing } from '../../../adapters/blobs/store.ts'
import type { StreamCall } from '../../../core/http/streaming.ts'
import { Problem } from '../../../errors.ts'
import { sayFile } from '../bin/download/headers.ts'
import { isUnchanged } from '../bin/download/ranges.ts'
import { sending } from '../bin/download/sending.ts'
import type { FileServices } from '../../files.ts'
import type { PreviewRow } from '../../files.sql.ts'

/** Makes signatures that nobody else can make. */
export interface Signer {
  sign(content: string, label: string): Buffer
}
/** Where a preview can be had. */
export type AddressOf = (preview: Pick<PreviewRow, 'sha256' | 'size' | 'mime'>) => string

const label = 'address of a preview'
const day = 86_400

const extensions: ReadonlyMap<string, string> = new Map([
  ['image/jpeg', 'jpg'],
  ['image/webp', 'webp'],
  ['image/png', 'png'],
])
const mimes = new Map([...extensions].map(([mime, extension]) => [extension, mime]))

const keyFor = (signer: Signer, file: string, until: string) =>
  signer.sign(`${file} ${until}`, label).subarray(0, 16).toString('base64url')

export function previewAddresses(signer: Signer, base: string): AddressOf {
  return ({ sha256, size, mime }) => {
    const file = `${sha256}.${size}.${extensions.get(mime)}`
    const until = String((Math.floor(Date.now() / 1000 / day) + 2) * day)
    return `${base}/assets/previews/bin/${file}?until=${until}&key=${keyFor(signer, file, until)}`
  }
}

/** GET of such an address. */
export const answerPreview =
  ({ blobs }: FileServices, signer: Signer) =>
  async ({ request, reply, params, query: { until, key } }: StreamCall) => {
    const file = params.file!
    const seconds = checkAddress(signer, file, String(until), String(key))
    const [sha256 = '', size = '', extension = ''] = file.split('.')
    const etag = `"${sha256}"`
    sayFile(reply, { name: `preview.${extension}`, mime: mimes.get(extension)! })
      .header('cache-control', `private, max-age=${seconds}, immutable`)
      .header('etag', etag)
    if (isUnchanged({ 'if-none-match': request.headers['if-none-match'] }, etag)) return reply.status(304).send()
    const pieces = await blobs.lend(sha256).catch((error: Error) => {
      if (!(error instanceof Missing)) throw error
      throw new Problem('notFound', 'there are newer previews of this asset; retrieve it again', { cause: error })
    })
    return reply.header('content-length', size).send(sending(pieces))
  }

/** How many seconds the address is still good; throws when it is not. */
function checkAddress(signer: Signer, file: string, until: string, key: string): number {
  const [given, right] = [Buffer.from(key), Buffer.from(keyFor(signer, file, until))]
  if (given.length !== right.length || !timingSafeEqual(given, right))
    throw new Problem('forbidden', 'this address is not one that was given out')
  const seconds = Number(until) - Math.floor(Date.now() / 1000)
  if (seconds <= 0) throw new Problem('forbidden', 'this address has expired; retrieve the asset again')
  return seconds
}
