/** File imports and exports: uploads the file to import in one request, and waits for a transfer to finish. */
import { decode, formats, type Infer, transfer, Transfer } from '@kontor/contract'
import { bytesOf, crypto, type FileLike, type Signal, sleep, URLSearchParams } from './runtime.ts'
import type { Transport } from './transport.ts'

type TransferValue = Infer<typeof Transfer>

export interface SendOptions {
  readonly name?: string
  readonly format?: string
  readonly profile?: string
  /** For CSV, such as windows-1252. Default: detected. */
  readonly encoding?: string
  /** The layout of another system, such as shopify. Default: detected. */
  readonly layout?: string
  /** `true` creates attributes and categories that the file needs. */
  readonly createModel?: 'true' | 'false'
  /** For a call that is repeated: the same one each time. Default: a new one for each call. */
  readonly idempotencyKey?: string
}
export interface WatchOptions {
  readonly onProgress?: (transfer: TransferValue) => void
  readonly signal?: Signal
}
export interface FileTransfers {
  /** Sends a file. Call `controlTransfer` to validate or start the import. */
  send(file: FileLike, options?: SendOptions): Promise<TransferValue>
  /** Polls the transfer until it is no longer active: validated, paused or ended. */
  watch(id: string, options?: WatchOptions): Promise<TransferValue>
}

const activeStates = new Set(['running', 'validating'])

export function fileTransfers(transport: Transport): FileTransfers {
  const request = async (call: Parameters<Transport['send']>[0]) =>
    decode(formats.json, Transfer, await bytesOf(await transport.send(call))) as TransferValue
  const headers = { accept: formats.json.mediaType }
  return {
    send(file, { name = file.name ?? 'import', idempotencyKey = crypto.randomUUID(), ...options } = {}) {
      const query = new URLSearchParams({ name, ...options }).toString()
      const path = `${transfer.base}${transfer.routes.receiveImport.path}?${query}`
      const type = { 'content-type': 'application/octet-stream' }
      return request({ method: 'POST', path, body: file, headers: { ...headers, ...type }, idempotencyKey }) // prettier-ignore
    },
    async watch(id, { onProgress, signal } = {}) {
      for (let wait = 200; ; wait = Math.min(wait * 1.3, 3000)) {
        const current = await request({ method: 'GET', path: `${transfer.base}/${id}`, headers, signal })
        onProgress?.(current)
        if (!activeStates.has(current.state!)) return current
        await sleep(wait)
        signal?.throwIfAborted()
      }
    },
  }
}
