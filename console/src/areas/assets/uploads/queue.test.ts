import { expect, test, vi } from 'vitest'
import type { Client } from '@kontor/sdk'
import { createUploadQueue } from './queue.ts'

const file = (name: string, text: string) => new File([text], name)

/** A client that behaves like the server for the calls of the queue. */
function clientWith(upload: (path: string, overwrite: boolean) => Promise<unknown>, duplicatePath?: string): Client {
  return {
    dam: { 'assets/duplicates': { retrieve: async () => (duplicatePath ? [{ path: duplicatePath }] : []) } },
    uploads: {
      asset: (_file: File, { path, doOverwrite = false }: { path: string; doOverwrite?: boolean }) =>
        upload(path, doOverwrite),
    },
  } as unknown as Client
}
const settled = (queue: ReturnType<typeof createUploadQueue>, stage: string) =>
  vi.waitFor(() => expect(queue.uploads().map((upload) => upload.stage)).toEqual([stage]))

test('files are sent to their folder, and the caller is notified of each', async () => {
  const sent: string[] = []
  const done = vi.fn()
  const queue = createUploadQueue(
    clientWith(async (path) => void sent.push(path)),
    done,
  )
  queue.add([file('a.jpg', 'a')], '/MAM/boats/')
  await settled(queue, 'done')
  expect(sent).toEqual(['/MAM/boats/a.jpg'])
  expect(done).toHaveBeenCalledOnce()
})

test('at highest three uploads run at a time', async () => {
  let [now, highest] = [0, 0]
  const queue = createUploadQueue(
    clientWith(async () => {
      highest = Math.max(highest, ++now)
      await new Promise((resolve) => setTimeout(resolve, 5))
      now--
    }),
    () => {},
  )
  queue.add(
    Array.from({ length: 10 }, (_, i) => file(`${i}.jpg`, `${i}`)),
    '/MAM/',
  )
  await vi.waitFor(() => expect(queue.uploads().every(({ stage }) => stage === 'done')).toBe(true))
  expect(highest).toBe(3)
})

test('a file that the server already has is sent only when the user confirms', async () => {
  const sent: string[] = []
  const queue = createUploadQueue(
    clientWith(async (path) => void sent.push(path), '/MAM/old.jpg'),
    () => {},
  )
  queue.add([file('a.jpg', 'a')], '/MAM/')
  await settled(queue, 'duplicate')
  expect(queue.uploads()[0]!.duplicatePath).toBe('/MAM/old.jpg')
  expect(sent).toEqual([])
  queue.resume(queue.uploads()[0]!.id)
  await settled(queue, 'done')
  expect(sent).toEqual(['/MAM/a.jpg'])
})

test('a file of the same name is replaced only when the user confirms', async () => {
  const asked: boolean[] = []
  const queue = createUploadQueue(
    clientWith(async (_path, overwrite) => {
      asked.push(overwrite)
      if (!overwrite) throw Object.assign(new Error('exists'), { status: 403 })
    }),
    () => {},
  )
  queue.add([file('a.jpg', 'a')], '/MAM/')
  await settled(queue, 'exists')
  queue.resume(queue.uploads()[0]!.id, true)
  await settled(queue, 'done')
  expect(asked).toEqual([false, true])
})

test('a refused upload has a reason and can be retried', async () => {
  let broken = true
  const queue = createUploadQueue(
    clientWith(async () => {
      if (broken) throw new Error('disk full')
    }),
    () => {},
  )
  queue.add([file('a.jpg', 'a')], '/MAM/')
  await settled(queue, 'refused')
  expect(queue.uploads()[0]!.reason).toBe('disk full')
  broken = false
  queue.resume(queue.uploads()[0]!.id)
  await settled(queue, 'done')
})
