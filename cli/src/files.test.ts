import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { coreError, formOf, type Received, startLocalServer } from '../../sdk/test/local-server.ts'
import { runCli, temporaryFolder } from '../test/run-cli.ts'

const record = (values: object) => ({ body: { schemaVersion: '5.6.0', responses: { response: [{ status: 'SUCCESS', ...values }] } } }) // prettier-ignore
const routeOf = ({ method, path }: Received) => `${method} ${path.split('?')[0]!.replace(/^\/api\/(core\/)?v1/, '')}`
const bodyOf = ({ body }: Received) => JSON.parse(body.toString())
const envOf = (url: string) => ({ KONTOR_CLI_HOME: temporaryFolder(), KONTOR_URL: url, KONTOR_TOKEN: 'a-token' })

describe('upload', () => {
  const paramsOf = async (request: Received) => JSON.parse((await formOf(request)).get('params') as string)

  test('sends a folder with everything below it, after it has created the folders', async () => {
    const folder = temporaryFolder()
    mkdirSync(join(folder, 'below'))
    writeFileSync(join(folder, 'a.txt'), 'a')
    writeFileSync(join(folder, 'below', 'b.txt'), 'b')
    const { url, requests } = await startLocalServer(() => record({ tid: 'T' }))
    const { code, stdout } = await runCli(['upload', folder, '--to', '/MAM/boats/'], envOf(url))
    expect([code, stdout]).toEqual([0, 'uploaded: /MAM/boats/a.txt T\nuploaded: /MAM/boats/below/b.txt T\n'])
    expect(requests.map(routeOf)).toEqual(['POST /dam/dirs/perform', 'POST /dam/assets/bin/persist', 'POST /dam/assets/bin/persist']) // prettier-ignore
    expect(bodyOf(requests[0]!).actions.action.map(({ path }: { path: string }) => path)).toEqual(['/MAM/boats', '/MAM/boats/below']) // prettier-ignore
    expect(await paramsOf(requests[2]!)).toEqual({ path: '/MAM/boats/below/b.txt' })
  })

  test('replaces existing files only with --overwrite', async () => {
    const file = join(temporaryFolder(), 'a.txt')
    writeFileSync(file, 'a')
    const { url, requests } = await startLocalServer(() => record({ tid: 'T' }))
    await runCli(['upload', file, '--to', '/MAM'], envOf(url))
    await runCli(['upload', file, '--to', '/MAM', '--overwrite'], envOf(url))
    expect(await Promise.all(requests.map(paramsOf))).toEqual([{ path: '/MAM/a.txt' }, { path: '/MAM/a.txt', doOverwrite: true }]) // prettier-ignore
  })

  test('continues with the other files when one is refused', async () => {
    const folder = temporaryFolder()
    for (const name of ['a.txt', 'b.txt']) writeFileSync(join(folder, name), name)
    const { url } = await startLocalServer((_, count) => (count === 1 ? { status: 403, body: coreError('1004', 'exists already') } : record({ tid: 'T' }))) // prettier-ignore
    const { code, stdout } = await runCli(['upload', join(folder, 'a.txt'), join(folder, 'b.txt'), '--to', '/MAM', '--json'], envOf(url)) // prettier-ignore
    expect(code).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject([
      { path: '/MAM/a.txt', status: 'ERROR', description: 'exists already' },
      { path: '/MAM/b.txt', status: 'SUCCESS', description: 'T' },
    ])
  })

  test('that was interrupted continues with --resume, and its state is deleted when it is complete', async () => {
    const MiB = 1024 * 1024
    const file = join(temporaryFolder(), 'film.bin')
    writeFileSync(file, Buffer.alloc(20 * MiB))
    let isBroken = true
    const chunks: number[] = []
    const { url, requests } = await startLocalServer(async (request) => {
      if (!request.path.includes('/chunked/upload/')) return record({ tid: 'upload' })
      const chunk = Number((await formOf(request)).get('chunkId'))
      if (isBroken && chunk > 0) return { status: 500, body: coreError('1000', 'disk full') }
      chunks.push(chunk)
      return record({})
    })
    const env = envOf(url)
    const line = ['upload', file, '--to', '/MAM', '--resume']
    expect((await runCli(line, env)).code).toBe(1)
    const states = () => JSON.parse(readFileSync(join(env.KONTOR_CLI_HOME, 'uploads.json'), 'utf8'))
    expect(Object.values(states())).toEqual([{ id: 'upload', size: 20 * MiB, chunkSize: 8 * MiB, sent: [0] }])

    isBroken = false
    expect((await runCli(line, env)).code).toBe(0)
    expect(chunks.toSorted()).toEqual([0, 1, 2])
    expect(requests.filter(({ path }) => path.endsWith('/chunked/start'))).toHaveLength(1)
    expect(states()).toEqual({})
  })
})
