import { expect, test, vi } from 'vitest'
import type { Client } from '@kontor/sdk'
import { createUploadQueue } from './queue.ts'

const file = (name: string, text: string) => new File([text], name)

/** A client that takes uploads as the server would, as far as the queue can tell. */
function clientThat(upload: (path: string, overwrite: boolean) => Promise<unknown>, twin?: string): Client {
  return {
    dam: { 'assets/duplicates': { retrieve: async () => (twin ? [{ path: twin }] : []) } },
    uploads: {
      asset: (_file: File, { path, doOverwrite = false }: { path: string; doOverwrite?: boolean }) =>
        upload(path, doOverwrite),
    },
  } as unknown as Client
}
const settled = (queue: ReturnType<typeof createUploadQueue>, stage: string) =>
  vi.waitFor(() => expect(queue.uploads().map((upload) => upload.stage)).toEqual([stage]))

test('files go to their directory, and the owner is told of each', async () => {
  const sent: string[] = []
  const done = vi.fn()
  const queue = createUploadQueue(
    clientThat(async (path) => void sent.push(path)),
    done,
  )
  queue.add([file('a.jpg', 'a')], '/MAM/boats/')
  await settled(queue, 'done')
  expect(sent).toEqual(['/MAM/boats/a.jpg'])
  expect(done).toHaveBeenCalledOnce()
})

test('no more than three travel at a time', async () => {
  let [now, most] = [0, 0]
  const queue = createUploadQueue(
    clientThat(async () => {
      most = Math.max(most, ++now)
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
  expect(most).toBe(3)
})

test('bytes that are there already wait for an answer, and travel or not', async () => {
  const sent: string[] = []
  const queue = createUploadQueue(
    clientThat(async (path) => void sent.push(path), '/MAM/old.jpg'),
    () => {},
  )
  queue.add([file('a.jpg', 'a')], '/MAM/')
  await settled(queue, 'duplicate')
  expect(queue.uploads()[0]!.twin).toBe('/MAM/old.jpg')
  expect(sent).toEqual([])
  queue.go(queue.uploads()[0]!.id)
  await settled(queue, 'done')
  expect(sent).toEqual(['/MAM/a.jpg'])
})

test('a name that is taken is replaced only when somebody says so', async () => {
  const asked: boolean[] = []
  const queue = createUploadQueue(
    clientThat(async (_path, overwrite) => {
      asked.push(overwrite)
      if (!overwrite) throw Object.assign(new Error('exists'), { status: 403 })
    }),
    () => {},
  )
  queue.add([file('a.jpg', 'a')], '/MAM/')
  await settled(queue, 'exists')
  queue.go(queue.uploads()[0]!.id, true)
  await settled(queue, 'done')
  expect(asked).toEqual([false, true])
})

test('what is refused says why, and can be tried again', async () => {
  let broken = true
  const queue = createUploadQueue(
    clientThat(async () => {
      if (broken) throw new Error('no room')
    }),
    () => {},
  )
  queue.add([file('a.jpg', 'a')], '/MAM/')
  await settled(queue, 'refused')
  expect(queue.uploads()[0]!.reason).toBe('no room')
  broken = false
  queue.go(queue.uploads()[0]!.id)
  await settled(queue, 'done')
})
