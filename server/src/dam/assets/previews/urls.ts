/**
 * Preview URLs for pages that show many previews: they need no token, and browsers can cache them.
 *
 *   …/assets/previews/bin/<sha256>.<size>.jpg?until=<seconds>&key=<signature>
 *
 * A URL names the content by its hash, so the content never changes and serving it needs no database query. Previews are
 * made by Kontor, so their content is never held. The URL is
 * the same all day for every user and expires after one to two days.
 */
import { timingSafeEqual } from 'node:crypto'
import { Missing } from '../../../adapters/blobs/store.ts'
import type { StreamCall } from '../../../core/http/streaming.ts'
import { Problem } from '../../../errors.ts'
import { setFileHeaders } from '../bin/download/headers.ts'
import { isUnchanged } from '../bin/download/ranges.ts'
import { toBody } from '../bin/download/body.ts'
import type { FileServices } from '../../files.ts'
import type { PreviewRow } from '../../files.sql.ts'

/** Signs preview URLs with a key of this installation. */
export interface Signer {
  sign(content: string, label: string): Buffer
}
/** Returns the URL of a preview. */
export type PreviewUrlOf = (preview: Pick<PreviewRow, 'sha256' | 'size' | 'mime'>) => string

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

export function previewUrls(signer: Signer, base: string): PreviewUrlOf {
  return ({ sha256, size, mime }) => {
    const file = `${sha256}.${size}.${extensions.get(mime)}`
    const until = String((Math.floor(Date.now() / 1000 / day) + 2) * day)
    return `${base}/assets/previews/bin/${file}?until=${until}&key=${keyFor(signer, file, until)}`
  }
}

/** GET of a preview URL. */
export const answerPreview =
  ({ blobs }: FileServices, signer: Signer) =>
  async ({ request, reply, params, query: { until, key } }: StreamCall) => {
    const file = params.file!
    const seconds = checkUrl(signer, file, String(until), String(key))
    const [sha256 = '', size = '', extension = ''] = file.split('.')
    const etag = `"${sha256}"`
    setFileHeaders(reply, { name: `preview.${extension}`, mime: mimes.get(extension)! })
      .header('cache-control', `private, max-age=${seconds}, immutable`)
      .header('etag', etag)
    if (isUnchanged({ 'if-none-match': request.headers['if-none-match'] }, etag)) return reply.status(304).send()
    const pieces = await blobs.raw.lend(sha256).catch((error: Error) => {
      if (!(error instanceof Missing)) throw error
      throw new Problem('notFound', 'there are newer previews of this asset; retrieve it again', { cause: error })
    })
    return reply.header('content-length', size).send(toBody(pieces))
  }

/** Returns the remaining lifetime in seconds. Throws if the signature is wrong or the URL has expired. */
function checkUrl(signer: Signer, file: string, until: string, key: string): number {
  const [given, right] = [Buffer.from(key), Buffer.from(keyFor(signer, file, until))]
  if (given.length !== right.length || !timingSafeEqual(given, right))
    throw new Problem('forbidden', 'this URL was not issued by this server or was changed')
  const seconds = Number(until) - Math.floor(Date.now() / 1000)
  if (seconds <= 0) throw new Problem('forbidden', 'this URL has expired; retrieve the asset again')
  return seconds
}
