/**
 * The body of a reply that is made of lent pieces: the next one is asked for when the one before has left this process.
 *
 * What Node has for this lets several pieces wait in the reply. Then they must be buffers of their own, and two hundred
 * slow clients hold and drop so many of them that the memory of the process follows.
 */
import { Readable, type Writable } from 'node:stream'

export function sending(pieces: AsyncIterable<Buffer>): Readable {
  const iterator = pieces[Symbol.asyncIterator]()
  // Begun at once: what was never begun would not end either, and so not close its file when the client has gone.
  const first = iterator.next()
  first.catch(() => {}) // told when it is sent
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
