/**
 * A response body made of reused buffers: the next chunk is requested only after the previous one has been written to
 * the socket.
 *
 * A regular Readable queues several chunks, so each needs its own buffer. With 200 slow clients, allocating and freeing
 * these buffers makes the memory of the process grow.
 */
import { Readable, type Writable } from 'node:stream'

export function toBody(pieces: AsyncIterable<Buffer>): Readable {
  const iterator = pieces[Symbol.asyncIterator]()
  // Start iterating at once: a generator that was never started does not run its `finally`, and so would not close the
  // file if the client disconnects early.
  const first = iterator.next()
  first.catch(() => {}) // reported when `send` awaits it
  const close = async () => void (await iterator.return?.())
  const body = new Readable({
    read() {},
    destroy(error, done) {
      // oxlint-disable-next-line promise/no-promise-in-callback, promise/no-callback-in-promise
      close().then(() => done(error), done)
    },
  })
  const send = async (to: Writable) => {
    for (let piece = await first; !piece.done; piece = await iterator.next()) await written(to, piece.value)
    body.push(null)
    body.resume()
    to.end()
  }
  body.pipe = (to) => {
    send(to as unknown as Writable).catch((error: Error) => body.destroy(error))
    return to
  }
  return body
}

const written = (to: Writable, piece: Buffer) =>
  new Promise<void>((resolve, reject) => {
    to.write(piece, (error) => (error ? reject(error) : resolve()))
  })
