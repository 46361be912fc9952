/**
 * A process that makes previews, and nothing else: whatever a file does to it, the server does not notice.
 *
 * It is given a file and a folder, and answers with what it put there. It has no environment, no connection and no
 * secret. The server ends it when it takes too long; it ends itself when it needs too much memory.
 */
import { render } from './render.ts'
import type { Order } from './message.ts'

const [maxMiB = '1024'] = process.argv.slice(2)

// Pictures are decoded in threads of the library, so this clock goes on ticking meanwhile.
setInterval(() => {
  if (process.memoryUsage.rss() > Number(maxMiB) * 1024 * 1024) process.exit(70)
}, 20).unref()

process.on('message', (order: Order) => {
  void render(order)
    .catch((error: Error) => ({ number: order.number, embedded: {}, previews: [], problem: error.message }))
    .then((made) => process.send!(made))
})
// The server is gone. So goes what this process runs, which is of its group.
process.on('disconnect', () => process.kill(process.platform === 'win32' ? process.pid : -process.pid, 'SIGKILL'))
