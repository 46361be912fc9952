/**
 * A worker process that makes previews and renditions and analyses files. A malicious or broken file can crash it without affecting the server.
 *
 * It receives a file and an output folder and reports the files it wrote. It has no environment variables, no
 * connections and no secrets. The server kills it after a timeout; it exits by itself if it needs too much memory.
 */
import { rmSync } from 'node:fs'
import { analyse, render } from './render.ts'
import { draw } from './draw.ts'
import { copy } from './film.ts'
import { exitForMemory, type FirstMade, type MadePreview, type Order, type Progress } from './message.ts'

const [maxMiB = '1024'] = process.argv.slice(2)

// Images are decoded in the library's threads, so this timer keeps running meanwhile.
setInterval(() => {
  if (process.memoryUsage.rss() > Number(maxMiB) * 1024 * 1024) process.exit(exitForMemory)
}, 20).unref()

let folder: string | undefined
process.on('message', (order: Order) => {
  folder = order.folder
  const onThumbnail = (thumbnail: MadePreview) => process.send!({ number: order.number, thumbnail } satisfies FirstMade)
  const onProgress = (percent: number) => process.send!({ number: order.number, percent } satisfies Progress)
  const make = order.drawing
    ? draw(order, order.drawing)
    : order.copying
      ? copy(order, order.copying, onProgress)
      : order.isAnalysis
        ? analyse(order)
        : render(order, onThumbnail)
  void make
    .catch((error: Error) => ({ number: order.number, embedded: {}, previews: [], problem: error.message }))
    .then((made) => process.send!(made))
})
// The server is gone: nobody else removes the folder. Then kill this process group, including subprocesses, which may still
// write to it.
process.on('disconnect', () => {
  try {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
  } finally {
    process.kill(process.platform === 'win32' ? process.pid : -process.pid, 'SIGKILL')
  }
})
