/** The sound of waves, as a WAV file: noise that swells and ebbs. */
import { createRandom } from './random.ts'

const [rate, seconds] = [8000, 5]

export function toWav(): Buffer {
  const random = createRandom(7)
  const samples = new Int16Array(rate * seconds)
  let before = 0
  for (let i = 0; i < samples.length; i++) {
    const swell = 0.15 + 0.85 * Math.sin((Math.PI * i) / rate / 2.5) ** 2
    before += (random.next() * 2 - 1 - before) * 0.2
    samples[i] = Math.round(before * swell * 30_000)
  }
  const header = Buffer.alloc(44)
  header.write('RIFF....WAVEfmt ', 0, 'latin1')
  header.writeUInt32LE(36 + samples.byteLength, 4)
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 20) // PCM
  header.writeUInt16LE(1, 22) // one channel
  header.writeUInt32LE(rate, 24)
  header.writeUInt32LE(rate * 2, 28)
  header.writeUInt16LE(2, 32)
  header.writeUInt16LE(16, 34)
  header.write('data', 36, 'latin1')
  header.writeUInt32LE(samples.byteLength, 40)
  return Buffer.concat([header, Buffer.from(samples.buffer)])
}
