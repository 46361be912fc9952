/**
 * A worker process that makes previews and renditions. A malicious or broken file can crash it without affecting the server.
 *
 * It receives a file and an output folder and reports the files it wrote. It has no environment variables, no
 * connections and no secrets. The server kills it after a timeout; it exits by itself if it needs too much memory.
 */
import { render } from './render.ts'
import { draw } from './draw.ts'
import type { FirstMade, MadePreview, Order } from './message.ts'

const [maxMiB = '1024'] = process.argv.slice(2)

// Images are decoded in the library's threads, so this timer keeps running meanwhile.
setInterval(() => {
  if (process.memoryUsage.rss() > Number(maxMiB) * 1024 * 1024) process.exit(70)
}, 20).unref()

process.on('message', (order: Order) => {
  const onThumbnail = (thumbnail: MadePreview) => process.send!({ number: order.number, thumbnail } satisfies FirstMade)
  void (order.drawing ? draw(order, order.drawing) : render(order, onThumbnail))
    .catch((error: Error) => ({ number: order.number, embedded: {}, previews: [], problem: error.message }))
    .then((made) => process.send!(made))
})
// The server is gone: kill this process group, including subprocesses.
process.on('disconnect', () => process.kill(process.platform === 'win32' ? process.pid : -process.pid, 'SIGKILL'))
