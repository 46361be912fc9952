import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type Received, startLocalServer } from '../../sdk/test/local-server.ts'
import { runCli, temporaryFolder } from '../test/run-cli.ts'

const routeOf = ({ method, path }: Received) => `${method} ${path.split('?')[0]!.replace(/^\/api\/(core\/)?v1/, '')}`
const bodyOf = ({ body }: Received) => JSON.parse(body.toString())
const envOf = (url: string) => ({ KONTOR_CLI_HOME: temporaryFolder(), KONTOR_URL: url, KONTOR_TOKEN: 'a-token' })

describe('import', () => {
  const counts = { created: 1, updated: 0, refused: 1 }
  const rows = [{ row: 2, faults: [{ column: 'weight', reason: 'not a number' }] }]
  const startTransferServer = () =>
    startLocalServer(({ path, method }) => {
      if (path.includes('/rows')) return { body: { rows } }
      if (path.includes('/result')) return { body: 'tid,weight\n', headers: { 'content-type': 'text/csv' } }
      return { body: { id: '7', state: method === 'GET' ? 'finished' : 'running', ...counts } }
    })
  const csv = () => {
    const file = join(temporaryFolder(), 'in.csv')
    writeFileSync(file, 'tid,weight\n')
    return file
  }

  test.each([
    [[], 'POST /transfers/7/start'],
    [['--validate'], 'POST /transfers/7/validate'],
  ])('sends the file and starts or validates it: %s', async (options, expected) => {
    const { url, requests } = await startTransferServer()
    const { code, stdout } = await runCli(['import', csv(), ...options], envOf(url))
    expect([code, stdout]).toEqual([1, 'row 2, weight: not a number\n1 created, 0 updated, 1 refused\n'])
    expect(requests.map(routeOf)).toEqual(['POST /transfers/imports', expected, 'GET /transfers/7', 'GET /transfers/7/rows']) // prettier-ignore
  })

  test('passes the encoding on and prints the one in which the file was read', async () => {
    const { url, requests } = await startLocalServer(
      ({ path }) =>
      path.includes('/rows') ? { body: {} } : { body: { id: '7', state: 'finished', encoding: 'windows-1252', created: 1, updated: 0, refused: 0 } }, // prettier-ignore
    )
    const { stdout } = await runCli(['import', csv(), '--encoding', 'windows-1252'], envOf(url))
    expect(stdout).toBe('read as windows-1252\n1 created, 0 updated, 0 refused\n')
    expect(requests[0]!.path).toMatch(/\?name=in\.csv&encoding=windows-1252$/)
  })

  test('saves the refused rows with --result', async () => {
    const { url } = await startTransferServer()
    const result = join(temporaryFolder(), 'refused.csv')
    await runCli(['import', csv(), '--result', result], envOf(url))
    expect(readFileSync(result, 'utf8')).toBe('tid,weight\n')
  })
})

describe('export', () => {
  test('creates an export in the format of the file name and downloads it', async () => {
    const { url, requests } = await startLocalServer(({ path }) =>
      path.endsWith('/file') ? { body: 'tid\n' } : { body: { id: '7', state: 'finished', total: 2 } },
    )
    const out = join(temporaryFolder(), 'products.CSV')
    const options =
      '--node /Shop --tid a --tid b --column tid --locale de_DE --search 3 --series nightly --pictures web --formulas keep --inherited'.split(
        ' ',
      )
    expect(await runCli(['export', '--out', out, ...options], envOf(url))).toMatchObject({ code: 0, stdout: `2 products in ${out}\n` }) // prettier-ignore
    expect(bodyOf(requests[0]!)).toEqual({
      format: 'csv',
      name: 'products.CSV',
      nodePaths: ['/Shop'],
      tids: ['a', 'b'],
      columns: ['tid'],
      locales: ['de_DE'],
      storedSearch: 3,
      series: 'nightly',
      pictures: 'web',
      formulas: 'keep',
      inherited: true,
    })
    expect(readFileSync(out, 'utf8')).toBe('tid\n')
  })

  test('that failed prints the reason and writes no file', async () => {
    const { url } = await startLocalServer(() => ({ body: { id: '7', state: 'failed', problem: 'no such column' } }))
    const out = join(temporaryFolder(), 'products.csv')
    expect(await runCli(['export', '--out', out], envOf(url))).toMatchObject({ code: 1, stdout: 'failed: no such column\n' }) // prettier-ignore
    expect(() => readFileSync(out)).toThrow('ENOENT')
  })
})

describe('the numbers of an import', () => {
  test.each([
    [{ created: 1, updated: 0, refused: 0 }, '1 created, 0 updated, 0 refused'],
    [
      { created: 2, updated: 0, refused: 0, objects: { created: 2, updated: 0, unchanged: 0, refused: 0 } },
      '2 created, 0 updated, 0 refused',
    ],
    [
      {
        created: 0,
        updated: 0,
        unchanged: 6,
        refused: 0,
        objects: { created: 0, updated: 0, unchanged: 2, refused: 0 },
      },
      '0 created, 0 updated, 2 unchanged, 0 refused (6 rows)',
    ],
  ])('%j', async (counts, expected) => {
    const { url } = await startLocalServer(({ path }) =>
      path.includes('/rows')
        ? { body: { rows: [] } }
        : { body: { id: '7', direction: 'import', state: 'finished', ...counts } },
    )
    expect((await runCli('transfers follow 7', envOf(url))).stdout).toBe(`${expected}\n`)
  })
})

describe('a server that restarts', () => {
  test('is waited for, and the import that it continues is named', { timeout: 120_000 }, async () => {
    let isAway = false
    let asked = 0
    const { url, requests } = await startLocalServer(({ path, method }) => {
      if (method === 'GET' && path.endsWith('/transfers/7')) isAway = ++asked > 1 && asked < 9
      if (isAway) return 'lost'
      if (path.includes('/rows')) return { body: { rows: [] } }
      const state = method === 'GET' && asked > 1 ? 'finished' : 'running'
      return { body: { id: '7', state, created: 3, updated: 0, refused: 0 } }
    })
    const file = join(temporaryFolder(), 'in.csv')
    writeFileSync(file, 'tid\n')
    const { code, stdout, stderr } = await runCli(['import', file], envOf(url))
    expect([code, stdout]).toEqual([0, '3 created, 0 updated, 0 refused\n'])
    expect(stderr.split('\n')).toEqual([
      'transfer 7',
      'the server does not answer; waiting for it to continue with 7',
      '',
    ])
    expect(requests.filter(({ path }) => path.endsWith('/start'))).toHaveLength(1)
  })

  test.each([
    ['import', '/imports'],
    ['export', '/exports'],
  ])(
    'is waited for before there is a transfer, with one key for all attempts: %s',
    { timeout: 120_000 },
    async (command, end) => {
      const keys: unknown[] = []
      const { url } = await startLocalServer(({ path, headers }) => {
        if (path.includes(end) && keys.push(headers['idempotency-key']) < 7) return 'lost'
        if (path.includes('/rows')) return { body: { rows: [] } }
        if (path.endsWith('/file')) return { body: 'tid\n' }
        return { body: { id: '7', state: 'finished', created: 1, updated: 0, refused: 0, total: 1 } }
      })
      const file = join(temporaryFolder(), 'in.csv')
      writeFileSync(file, 'tid\n')
      const { code, stderr } = await runCli(
        command === 'import' ? ['import', file] : ['export', '--out', file],
        envOf(url),
      )
      expect([code, stderr]).toEqual([0, 'the server does not answer; waiting for it\ntransfer 7\n'])
      expect([keys.length, new Set(keys).size]).toEqual([7, 1])
    },
  )

  test('does not start an import twice', { timeout: 120_000 }, async () => {
    let started = 0
    const { url } = await startLocalServer(({ path, method }) => {
      if (path.endsWith('/start')) return ++started < 8 ? 'lost' : { status: 409, body: {} }
      if (path.includes('/rows')) return { body: { rows: [] } }
      return {
        body: { id: '7', state: method === 'GET' ? 'finished' : 'received', created: 1, updated: 0, refused: 0 },
      }
    })
    const file = join(temporaryFolder(), 'in.csv')
    writeFileSync(file, 'tid\n')
    expect(await runCli(['import', file], envOf(url))).toMatchObject({ code: 0 })
    expect(started, 'the attempts of one call').toBeLessThan(8)
  })
})

describe('transfers', () => {
  const one = {
    id: '7',
    direction: 'export',
    state: 'finished',
    share: 1,
    name: 'all.csv',
    total: 2,
    deleted: 1,
    series: 'shop',
  }

  test('are listed', async () => {
    const { url } = await startLocalServer(() => ({
      body: { transfers: [one, { ...one, id: '6', state: 'running', share: 0.5 }] },
    }))
    const { stdout } = await runCli('transfers', envOf(url))
    expect(stdout).toBe(
      '7\texport\tfinished\t100 %\tall.csv\tseries shop\n6\texport\trunning\t50 %\tall.csv\tseries shop\n',
    )
  })

  test('are followed to their end, and the file of an export is saved', async () => {
    const { url } = await startLocalServer(({ path }) => (path.endsWith('/file') ? { body: 'tid\n' } : { body: one }))
    const out = join(temporaryFolder(), 'all.csv')
    const { stdout } = await runCli(['transfers', 'follow', '7', '--out', out], envOf(url))
    expect([stdout, readFileSync(out, 'utf8')]).toEqual([`2 products and 1 deletion in ${out}\n`, 'tid\n'])
  })

  test.each(['pause', 'resume', 'cancel'])('are controlled: %s', async (command) => {
    const { url, requests } = await startLocalServer(() => ({ body: { ...one, state: 'paused' } }))
    expect((await runCli(`transfers ${command} 7`, envOf(url))).stdout).toBe('7 paused\n')
    expect(requests.map(routeOf)).toEqual([`POST /transfers/7/${command}`])
  })
})
