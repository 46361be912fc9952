/** External programs: limited in time and memory, and killed when they are no longer needed. */
import { execFile, spawnSync } from 'node:child_process'
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { sql } from '../../../adapters/postgres/sql.ts'
import { dam, makeDirs, picture, upload } from '../../../../test/files.ts'
import { withServer } from '../../../../test/server.ts'
import { findTools } from './tools.ts'

const folder = await mkdtemp(join(tmpdir(), 'kontor-tools-'))
afterAll(() => rm(folder, { recursive: true }))

async function program(name: string, script: string): Promise<string> {
  const file = join(folder, name)
  await writeFile(file, `#!/bin/sh\n${script}\n`)
  await chmod(file, 0o755)
  return file
}

/** Whether the system lets us create namespaces; containers often do not. */
const mayIsolate = spawnSync('unshare', ['--user', '--map-root-user', '--net', '--mount', '--pid', '--fork', '--mount-proc', 'true']).status === 0 // prettier-ignore

await program('ffmpeg', 'exit 1') // looked for when the server starts

test('programs are found by name, in the order of the folders; the newer name is preferred', async () => {
  const other = await mkdtemp(join(folder, 'other-'))
  expect(findTools(other)).toEqual({})
  const old = await program('heif-convert', 'exit 1')
  expect(findTools(`${other}:${folder}`)).toMatchObject({ heif: old })
  const newer = await program('heif-dec', 'exit 1')
  expect(findTools(`${other}:${folder}`)).toMatchObject({ heif: newer })
})

describe.skipIf(process.platform === 'win32')('a program', () => {
  const api = withServer({ KONTOR_TOOLS: folder, KONTOR_PREVIEW_SECONDS: '5', KONTOR_PREVIEW_WORKERS: '1' })
  const output = join(folder, 'output')
  beforeAll(() => makeDirs(api, '/MAM/films'))
  const film = Buffer.from('\0\0\0\x18ftypmp42\0\0\0\0mp42isom', 'latin1')
  const statusAfter = async (name: string, bytes: Buffer) => {
    await upload(api, { path: `/MAM/films/${name}`, tid: name, doPreviewsAsync: false }, bytes)
    return statusOf(name)
  }
  const statusOf = async (name: string) => {
    const { json } = await api.post(`${dam}/assets/statuses`, { tids: [name] })
    return json.assets.asset[0].meta.itm[0].value
  }

  /** The job that makes previews after the upload has not. */
  const makeAgain = async (tid: string) => {
    const { id } = (await api.db.row<{ id: number }>(sql`select id from dam_entry where tid = ${tid}`))!
    await api.app.jobs['dam.previews']!({ assetId: id } as never, new AbortController().signal, 2)
  }

  test('that hangs is killed with its subprocesses, and the next file is not affected', async () => {
    // The program may have process ids of its own, so it is recognised by what it runs.
    const nap = String(100_000 + process.pid)
    await program('ffmpeg', `sleep ${nap} & touch ${output}; wait`)
    const status = statusAfter('hanging.mp4', film)
    const naps = () =>
      promisify(execFile)('ps', ['-eo', 'args']).then(({ stdout }) => stdout.split(`sleep ${nap}`).length - 1)
    await vi.waitFor(async () => expect(await naps()).toBe(1), { timeout: 10_000 })
    expect(await status).toBe('running')
    await vi.waitFor(async () => expect(await naps()).toBe(0), { timeout: 10_000 })
    await makeAgain('hanging.mp4')
    expect(await statusOf('hanging.mp4')).toBe('incomplete')
    expect(await statusAfter('next.jpg', await picture(20, 20))).toBe('available')
  })

  test('that fails affects only its own file', async () => {
    await program('ffmpeg', 'exit 3')
    expect(await statusAfter('failing.mp4', film)).toBe('incomplete')
    expect(await statusAfter('after.jpg', await picture(20, 20))).toBe('available')
  })

  test('that needs more memory than it may have does not run again later', async () => {
    await program('ffmpeg', `echo 'Cannot allocate memory' >&2; exit 1`)
    expect(await statusAfter('large.mp4', film)).toBe('incomplete')
  })

  test.skipIf(!mayIsolate)(
    'sees its file, but neither the data folder, nor the network, nor other processes',
    async () => {
      const data = api.config.data
      const look = ['ls -A "$d"', 'cat /proc/net/dev | grep -c :', 'ls /proc | grep -c "^[0-9]"', 'wc -c < "$file"']
      const leave = [
        'umount "$d" 2>/dev/null',
        'unshare --user --mount --map-root-user umount "$d" 2>/dev/null',
        'ls -A "$d"',
      ]
      const script = `d='${data}'; for one in "$@"; do case "$one" in file:*) file=\${one#file:};; esac; done
      { ${[...look, ...leave].join('; ')}; } > ${output}`
      await program('ffmpeg', script)
      await statusAfter('curious.mp4', film)
      const [networks, processes, size, ...rest] = (await readFile(output, 'utf8')).trim().split('\n').map(Number)
      expect([networks, size, rest]).toEqual([1, film.length, []])
      expect(processes).toBeLessThan(10)
      expect(await readdir(data)).toContain('blobs')
    },
  )

  test('has limited memory, no environment variables and a pixel limit', async () => {
    await program('ffmpeg', `{ ulimit -v; env | grep -v '^_=\\|^PWD=\\|^SHLVL=\\|^VIPSHOME='; echo "$@"; } > ${output}`)
    await statusAfter('bounded.mp4', film)
    const [memory, ...rest] = (await readFile(output, 'utf8')).trim().split('\n')
    expect(Number(memory)).toBe(4 * 1024 * 1024)
    expect(rest).toEqual([expect.stringContaining(`-max_pixels ${api.config.previewPixels} -i file:`)])
  })
})
