import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { startLocalServer } from '../../sdk/test/local-server.ts'
import { runCli, temporaryFolder } from '../test/run-cli.ts'

const prices = { name: 'prices', description: 'From the ERP', columns: [{ column: 'Item no.', field: 'tid' }] }
const startProfileServer = () =>
  startLocalServer(({ method, path }) => {
    if (method === 'GET' && path.endsWith('/profiles')) return { body: { profiles: [prices, { name: 'stock' }] } }
    return path.endsWith('/none') ? { status: 404, body: {} } : { body: prices }
  })
const envOf = (url: string) => ({ KONTOR_CLI_HOME: temporaryFolder(), KONTOR_URL: url, KONTOR_TOKEN: 'a-token' })

describe('profiles', () => {
  test('are listed with their descriptions', async () => {
    const { url } = await startProfileServer()
    expect((await runCli('profiles', envOf(url))).stdout).toBe('prices\tFrom the ERP\nstock\n')
    expect(JSON.parse((await runCli('profiles --json', envOf(url))).stdout)).toEqual([prices, { name: 'stock' }])
  })

  test('are shown as JSON that can be stored again under another name', async () => {
    const { url, requests } = await startProfileServer()
    const file = join(temporaryFolder(), 'prices.json')
    writeFileSync(file, (await runCli('profiles show prices', envOf(url))).stdout)
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(prices)
    const { code, stdout } = await runCli(['profiles', 'put', 'new prices', file], envOf(url))
    expect([code, stdout]).toEqual([0, 'new prices stored\n'])
    const put = requests.at(-1)!
    expect([put.method, put.path]).toEqual(['PUT', '/api/v1/transfers/profiles/new%20prices'])
    expect(JSON.parse(put.body.toString())).toEqual(prices)
  })

  test('are deleted', async () => {
    const { url, requests } = await startProfileServer()
    expect((await runCli('profiles delete prices', envOf(url))).stdout).toBe('prices deleted\n')
    expect(requests.at(-1)).toMatchObject({ method: 'DELETE', path: '/api/v1/transfers/profiles/prices' })
  })

  test.each([
    ['profiles show none', 1, 'kontor: '],
    ['profiles delete none', 1, 'kontor: '],
    ['profiles show', 2, 'missing <name>'],
    ['profiles put prices', 2, 'missing <file.json>'],
    ['profiles delete prices stock', 2, 'unexpected argument stock'],
  ])('are not invented: %s', async (line, expected, message) => {
    const { url } = await startProfileServer()
    const { code, stderr } = await runCli(line, envOf(url))
    expect([code, stderr]).toEqual([expected, expect.stringContaining(message)])
  })

  test.each([
    ['{ "colums": [] }', 'colums'],
    ['{ "encoding": ', 'ends before it is complete'],
  ])('of an invalid file are not sent: %s', async (text, message) => {
    const { url, requests } = await startProfileServer()
    const file = join(temporaryFolder(), 'wrong.json')
    writeFileSync(file, text)
    const { code, stderr } = await runCli(['profiles', 'put', 'prices', file], envOf(url))
    expect([code, stderr, requests]).toEqual([1, expect.stringContaining(message), []])
  })

  test('are in help and completion', async () => {
    expect((await runCli('help profiles')).stdout).toContain('kontor profiles put <name> <file.json>')
    expect((await runCli('completion bash')).stdout).toContain(
      'profiles) words="show put guess versions restore delete" files=yes ;;',
    )
  })
})
