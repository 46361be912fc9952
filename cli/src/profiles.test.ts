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

  describe('of a file', () => {
    const mapping = {
      profile: { decimal: ',' },
      columns: [
        { column: 'No.', meaning: 'tid', confidence: 1, samples: [{ cell: 'H-1', value: 'H-1' }] },
        { column: 'Weight', meaning: 'NET_WEIGHT', confidence: 0.8, samples: [{ cell: '1,25', value: '1.25' }, { cell: 'x', fault: 'no number' }] }, // prettier-ignore
        { column: 'Shelf', confidence: 0, samples: [{ cell: 'A1', value: 'A1' }] },
        { column: 'Title', meaning: 'TITLE', samples: [{ cell: '', value: 'Sea 7' }] },
      ],
      rows: [{ row: 2, faults: [{ column: 'Weight', reason: 'no number' }] }],
    }
    const startMappingServer = () =>
      startLocalServer(({ path }) => {
        if (path.endsWith('/guess') || path.endsWith('/mapping')) return { body: mapping }
        return { body: path.endsWith('/profiles/prices') ? prices : { id: '7', state: 'received' } }
      })
    const csv = () => {
      const file = join(temporaryFolder(), 'list.csv')
      writeFileSync(file, 'No.;Weight\n')
      return file
    }
    const routeOf = ({ method, path }: { method: string; path: string }) => `${method} ${path.split('?')[0]!.replace('/api/v1', '')}` // prettier-ignore

    test('are guessed, with samples of what its cells become', async () => {
      const { url, requests } = await startMappingServer()
      const { code, stdout, stderr } = await runCli(['profiles', 'guess', csv()], envOf(url))
      expect([code, JSON.parse(stdout)]).toEqual([0, mapping.profile])
      expect(stderr).toBe(
        'No.: tid (100 %)\n  H-1\nWeight: NET_WEIGHT (80 %)\n  1,25 -> 1.25\n  x: no number\nShelf: ignore (0 %)\nTitle: TITLE (0 %)\n  Sea 7\n',
      )
      expect(requests.map(routeOf)).toEqual(['POST /transfers/imports', 'GET /transfers/7/guess', 'DELETE /transfers/7']) // prettier-ignore
    })

    test.each(['stored', 'in a file'])('are tried, and nothing is imported: %s', async (where) => {
      const { url, requests } = await startMappingServer()
      const file = join(temporaryFolder(), 'prices.json')
      writeFileSync(file, JSON.stringify(prices))
      const { code, stdout } = await runCli(['profiles', 'try', where === 'stored' ? 'prices' : file, csv()], envOf(url)) // prettier-ignore
      expect([code, stdout]).toEqual([
        1,
        'No.: tid\n  H-1\nWeight: NET_WEIGHT\n  1,25 -> 1.25\n  x: no number\nShelf: ignore\nTitle: TITLE\n  Sea 7\nrow 2, Weight: no number\n',
      ])
      expect(requests.slice(-3).map(routeOf)).toEqual(['POST /transfers/imports', 'POST /transfers/7/mapping', 'DELETE /transfers/7']) // prettier-ignore
      expect(JSON.parse(requests.at(-2)!.body.toString())).toEqual(prices)
    })
  })

  test('are in help and completion', async () => {
    expect((await runCli('help profiles')).stdout).toContain('kontor profiles put <name> <file.json>')
    expect((await runCli('completion bash')).stdout).toContain(
      'profiles) words="show put guess try versions restore delete" files=yes ;;',
    )
  })
})
