import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { startLocalServer } from '../../sdk/test/local-server.ts'
import { runCli, temporaryFolder } from '../test/run-cli.ts'
import { objectCommands } from './objects.ts'

const schemaVersion = '5.6.0'
const tokenOf = (url: string) => ({ KONTOR_URL: url, KONTOR_TOKEN: 'a-token' })
const keywords = (count: number) => Array.from({ length: count }, (_, i) => ({ path: `/K${i}` }))
const file = (content: object | string, name = 'in.json') => {
  const path = join(temporaryFolder(), name)
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}

test('every command has a name of its own, also where two areas have a resource of the same name', () => {
  const names = objectCommands.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  expect(names).toContain('pim/attribute-definitions retrieve')
})

test('retrieve sends identifiers and request together, and prints the reply as it is', async () => {
  const { url, requests } = await startLocalServer(() => ({ body: '<pim/>', headers: { 'content-type': 'application/xml' } })) // prettier-ignore
  const words = [
    'products',
    'retrieve',
    '--tid',
    'a',
    '--tid',
    'b',
    '--id',
    '7',
    '--as',
    'xml',
    '--request',
    '{"level":2}',
  ]
  expect(await runCli(words, tokenOf(url))).toEqual({ code: 0, stdout: '<pim/>\n', stderr: '' })
  expect(JSON.parse(requests[0]!.body.toString())).toEqual({ level: 2, tids: ['a', 'b'], ids: [7] })
  expect(requests[0]).toMatchObject({ path: '/api/core/v1/pim/products/retrieve' })
  expect(requests[0]!.headers.accept).toBe('application/xml')
})

describe('persist', () => {
  const ok = { status: 'SUCCESS' }
  const refused = { status: 'ERROR', tid: 'P2', description: 'no node has the path /Nowhere' }
  const records = (...response: object[]) => ({ body: { schemaVersion, responses: { response } } })

  test('prints the warnings about stored objects', async () => {
    const itm = [{ key: 'tid', value: 'P1' }, { key: 'warning.caption', value: 'contains the forbidden word cheap' }] // prettier-ignore
    const { url } = await startLocalServer(() => records({ ...ok, tid: 'P1', details: { itm } }))
    const { code, stdout } = await runCli(['persist', file({ schemaVersion, products: { product: [{ tid: 'P1' }] } })], tokenOf(url)) // prettier-ignore
    expect([code, stdout]).toEqual([0, 'warning: P1 attribute caption: contains the forbidden word cheap\n1 stored, 0 refused\n']) // prettier-ignore
  })

  test('sends each kind of objects to its resource and counts the records', async () => {
    const { url, requests } = await startLocalServer(({ path }) => (path.includes('keywords') ? records(ok) : records(ok, refused))) // prettier-ignore
    const envelope = {
      schemaVersion,
      kwds: { kwd: keywords(1) },
      products: { product: [{ tid: 'P1' }, { tid: 'P2' }] },
    }
    const { code, stdout } = await runCli(['persist', file(envelope)], tokenOf(url))
    expect([code, stdout]).toEqual([1, 'refused: P2 no node has the path /Nowhere\n2 stored, 1 refused\n'])
    expect(requests.map(({ path }) => path)).toEqual(['/api/core/v1/common/keywords/persist', '/api/core/v1/pim/products/persist']) // prettier-ignore
  })

  test('reads XML by the ending of the file', async () => {
    const { url, requests } = await startLocalServer(() => records(ok))
    const xml = `<pim xmlns="http://www.apollon.de/omn" schemaVersion="5.6.0"><products><product tid="P1"/></products></pim>`
    expect(await runCli(['persist', file(xml, 'in.xml')], tokenOf(url))).toMatchObject({ code: 0, stdout: '1 stored, 0 refused\n' }) // prettier-ignore
    expect(JSON.parse(requests[0]!.body.toString())).toMatchObject({ products: { product: [{ tid: 'P1' }] } })
  })

  test.each([
    ['', undefined],
    ['--atomic', 'true'],
  ])('is atomic on request: %s', async (option, header) => {
    const { url, requests } = await startLocalServer(() => records(ok))
    const line = ['persist', file({ schemaVersion, kwds: { kwd: keywords(1) } }), ...(option ? [option] : [])]
    await runCli(line, tokenOf(url))
    expect(requests[0]!.headers['kontor-atomic']).toBe(header)
  })

  test('sends more than 1000 objects as a bulk run', async () => {
    const meta = { itm: [{ key: 'state', value: 'finished' }] }
    const { url, requests } = await startLocalServer(({ method }) =>
      method === 'POST' ? { body: 'run-1' } : { body: { schemaVersion, meta, responses: { response: [ok, ok] } } },
    )
    const line = ['persist', file({ schemaVersion, kwds: { kwd: keywords(1001) } })]
    expect(await runCli(line, tokenOf(url))).toMatchObject({ code: 0, stdout: '2 stored, 0 refused\n' })
    expect(requests.map(({ method, path }) => `${method} ${path.split('/keywords/')[1]}`)).toEqual(['POST bulk', 'GET bulk/run-1']) // prettier-ignore
  })

  test.each([
    ['a kind that cannot be stored', { kwds: { kwd: keywords(1) }, locales: { locale: [{}] } }, [], 'locales cannot be stored'], // prettier-ignore
    ['no objects', { kwds: { kwd: [] } }, [], 'has no objects that can be stored'],
    ['two kinds with --atomic', { kwds: { kwd: keywords(1) }, glossaries: { glossary: [{}] } }, ['--atomic'], 'one kind of objects at a time, not keywords, glossaries'], // prettier-ignore
    [
      'too many objects for --atomic',
      { kwds: { kwd: keywords(1001) } },
      ['--atomic'],
      'at most 1000 objects, not 1001',
    ],
  ])('refuses a file with %s before it sends anything', async (_, content, options, message) => {
    const { url, requests } = await startLocalServer(() => records(ok))
    const { code, stdout, stderr } = await runCli(['persist', file({ schemaVersion, ...content }), ...options], tokenOf(url)) // prettier-ignore
    expect([code, stdout, requests.length]).toEqual([2, '', 0])
    expect(stderr).toContain(message)
  })

  test('names the place of a fault in the file', async () => {
    const { code, stderr } = await runCli(['persist', file({ schemaVersion, kwds: { kwds: [] } })])
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^kontor: \/pim\/kwds\/kwds: .+\n$/)])
  })
})
