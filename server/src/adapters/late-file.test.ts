/** A file that cannot be opened fails the work that reads it, and not the process. */
import { setImmediate } from 'node:timers/promises'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { openMailServer } from '../../test/mail.ts'
import { folderBlobs } from './blobs/blobs.ts'
import { piecesOf, streamOf } from './late-file.ts'
import { createSend } from './mail/mail.ts'

const folder = mkdtempSync(join(tmpdir(), 'kontor-late-'))
afterAll(() => rmSync(folder, { recursive: true }))
const missing = join(folder, 'missing')
const here = import.meta.filename

test('a stream opens its file when it is read', async () => {
  const stream = streamOf(missing)
  await setImmediate()
  await setImmediate()
  await expect(text(stream)).rejects.toThrow('ENOENT')
  expect(await text(streamOf(here))).toContain('a stream opens its file when it is read')
})

test('a missing file that is to be stored is an error of that call', async () => {
  await expect(folderBlobs(join(folder, 'blobs')).stage(piecesOf(missing), 100)).rejects.toThrow('ENOENT')
})

test('a missing attachment of a mail is an error of that mail', async () => {
  const server = await openMailServer()
  onTestFinished(server.close)
  const smtpUrl = `smtp://127.0.0.1:${server.port}`
  const send = createSend({ smtpUrl, mailFrom: undefined, baseUrl: 'http://127.0.0.1' })!
  const attachment = { name: 'a.txt', path: missing, mediaType: 'text/plain' }
  await expect(send({ id: '1', to: 'a@localhost', subject: 'a', text: 'b', attachment })).rejects.toThrow('ENOENT')
  expect(server.mails).toEqual([])
})
