/** Sends bytes on a connection of their own and reads the reply. */
import { connect } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import type { Shot } from './mutations.ts'

export interface Outcome {
  /** 0 without a reply. */
  readonly status: number
  readonly text: string
}

/** How long a reply that the server does not owe is waited for. */
const grace = 250
/** Generous, because machines are shared. */
const timeout = 60_000

export function exchange(address: URL, { bytes, ending, writes }: Shot): Promise<Outcome> {
  return new Promise((resolve) => {
    const socket = connect(Number(address.port), address.hostname)
    let text = ''
    const end = () => {
      clearTimeout(timer)
      socket.destroy()
      resolve({ status: Number(/^HTTP\/1\.1 (?:100 [^]*?\r\n\r\nHTTP\/1\.1 )?(\d{3})/.exec(text)?.[1] ?? 0), text })
    }
    const timer = setTimeout(end, ending === 'answer' ? timeout : grace)
    socket.on('error', end).on('close', end)
    socket.on('data', (piece) => {
      if (text.length < 5000) text += piece.toString('latin1')
      if (ending === 'answer') timer.refresh()
      if (/^HTTP[^]*\r\ncontent-type: text\/event-stream/i.test(text)) end()
    })
    socket.on('connect', async () => {
      const size = Math.max(1, Math.ceil(bytes.length / writes))
      for (let at = 0; at < bytes.length && socket.writable; at += size) {
        socket.write(bytes.subarray(at, at + size))
        await turn()
      }
      if (ending === 'half-close') socket.end()
      if (ending === 'disconnect') socket.resetAndDestroy()
    })
  })
}
