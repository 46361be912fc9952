/** A server without file descriptors refuses work that needs a process, and does it again when there are some. */
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const program = fileURLToPath(new URL('./no-descriptors.ts', import.meta.url))

test.skipIf(process.platform === 'win32')('processes that cannot be started are an error of their task only', () => {
  const command = 'ulimit -n 80 && exec "$0" "$1"'
  const { PATH = '' } = process.env
  const output = execFileSync('sh', ['-c', command, process.execPath, program], { env: { PATH }, encoding: 'utf8' })
  expect(JSON.parse(output)).toEqual({
    without: ['builder fails', 'hash fails', 'preview fails'],
    with: ['builder works', 'hash works', 'preview works'],
  })
})
