import { EventEmitter } from 'node:events'
import { describe, expect, test } from 'vitest'
import { createOutput } from './output.ts'

/** A stream that keeps what is written to it; a full one accepts nothing more until it emits `drain`. */
class Recorder extends EventEmitter {
  text = ''
  isFull = false
  readonly isTTY: boolean
  constructor(isTTY = false) {
    super()
    this.isTTY = isTTY
  }
  write(text: string | Uint8Array): boolean {
    this.text += typeof text === 'string' ? text : Buffer.from(text).toString()
    return !this.isFull
  }
}
function outputOf({ json = false, terminal = false } = {}) {
  const [stdout, stderr] = [new Recorder(terminal), new Recorder(terminal)]
  return { ...createOutput(json, stdout, stderr), stdout, stderr }
}
const value = { id: '7', name: 'Sea' }

test('without --json, a value is printed as lines of text', () => {
  const { value: print, line, stdout } = outputOf()
  print(value, () => ['7\tSea', '1 found'])
  line('done')
  expect(stdout.text).toBe('7\tSea\n1 found\ndone\n')
})

test('with --json, standard output has the value and nothing else', () => {
  const { value: print, line, stdout, stderr, progress } = outputOf({ json: true, terminal: true })
  line('uploading')
  progress(1, 2, 'film.bin')
  print(value, () => expect.fail('text is not needed'))
  expect(stdout.text).toBe('{"id":"7","name":"Sea"}\n')
  expect(stderr.text).toBe('')
})

test('bytes are printed as they are, and a full stream is waited for', async () => {
  const { raw, stdout } = outputOf({ json: true })
  await raw(Buffer.from('<pim/>'))
  stdout.isFull = true
  let isWritten = false
  const writing = raw(Buffer.from('<more/>')).then(() => (isWritten = true))
  await Promise.resolve()
  expect([stdout.text, isWritten]).toEqual(['<pim/><more/>', false])
  stdout.emit('drain')
  await writing
  expect(isWritten).toBe(true)
})

describe('the progress bar', () => {
  test.each([
    [0, 10, 0, '  0 %'],
    [5, 10, 15, ' 50 %'],
    [20, 10, 30, '100 %'],
    [0, 0, 0, '  0 %'],
  ])('shows %i of %i as %i filled cells and a percentage', (done, total, filled, percentage) => {
    const { progress, stderr } = outputOf({ terminal: true })
    progress(done, total, 'film.bin')
    expect(stderr.text).toBe(`\r${'█'.repeat(filled)}${'░'.repeat(30 - filled)} ${percentage} ${'film.bin'.padEnd(40)}`)
  })

  test('ends its line before other output, once', () => {
    const { progress, line, settle, stdout, stderr } = outputOf({ terminal: true })
    progress(1, 2, 'film.bin')
    line('uploaded')
    settle()
    expect(stderr.text.split('\n')).toHaveLength(2)
    expect(stdout.text).toBe('uploaded\n')
  })

  test('is a line now and then where standard error is not a terminal', () => {
    let time = 0
    const stderr = new Recorder()
    const { progress, settle } = createOutput(false, new Recorder(), stderr, () => time)
    for (; time <= 60_000; time += 1000) progress(time, 120_000, 'film.bin')
    settle()
    expect(stderr.text).toBe('25 % film.bin\n50 % film.bin\n')
  })
})
