/** A server without file descriptors refuses work that needs a process or a thread, and does it again when there are some. */
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const program = fileURLToPath(new URL('./no-descriptors.ts', import.meta.url))

test.skipIf(process.platform === 'win32')(
  'processes and threads that cannot be started are an error of their task only, and a request can be repeated',
  () => {
    const command = 'ulimit -n 80 && exec "$0" "$1"'
    const { PATH = '' } = process.env
    const output = execFileSync('sh', ['-c', command, process.execPath, program], { env: { PATH }, encoding: 'utf8' })
    expect(JSON.parse(output)).toEqual({
      // Builders and previews work for no request.
      without: ['builder is internal', 'thread is unavailable', 'hash is unavailable', 'preview is internal'],
      with: ['builder works', 'thread works', 'hash works', 'preview works'],
    })
  },
)
