import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { startLocalServer } from '../../sdk/test/local-server.ts'
import { runCli, temporaryFolder } from '../test/run-cli.ts'

const own = { direction: 'export', export: { format: 'csv' }, place: { kind: 'download' } }
const shop = { ...own, name: 'shop', owner: 'kim', enabled: true, nextRunAt: '2026-11-18T05:00:00.000Z' }
const gone = { ...shop, name: 'gone', enabled: false, problem: 'leo is disabled', lastRun: { id: 3, state: 'failed' } }
const held = { id: 7, state: 'held', createdAt: '2026-11-17T05:00:00.000Z', file: 'shop.csv', items: 5, problem: '5 products instead of 8' } // prettier-ignore

const startFeedServer = () => {
  let asked = 0
  return startLocalServer(({ method, path }) => {
    if (path.endsWith('/run')) return { body: { ...held, state: 'running' } }
    if (path.endsWith('/runs'))
      return { body: { runs: [++asked === 1 ? { ...held, state: 'running', problem: 'no route', nextAttemptAt: held.createdAt } : held] } } // prettier-ignore
    if (path.endsWith('/address')) return { body: { url: 'https://kontor.example.com/x' } }
    if (path.includes('/runs/')) return { body: { ...held, state: 'discarded' } }
    return { body: method === 'GET' && path.endsWith('/feeds') ? { feeds: [shop, gone] } : shop }
  })
}
const envOf = (url: string) => ({ KONTOR_CLI_HOME: temporaryFolder(), KONTOR_URL: url, KONTOR_TOKEN: 'a-token' })

describe('feeds', () => {
  test('are listed with their next run, or the reason why there is none', async () => {
    const { url } = await startFeedServer()
    expect((await runCli('feeds', envOf(url))).stdout).toBe(
      'shop\texport\tdownload\tnext 2026-11-18T05:00:00.000Z\tnever ran\ngone\texport\tdownload\tpaused: leo is disabled\tlast failed\n',
    )
  })

  test('are shown as JSON that can be stored again', async () => {
    const { url, requests } = await startFeedServer()
    const file = join(temporaryFolder(), 'shop.json')
    const shown = (await runCli('feeds show shop', envOf(url))).stdout
    expect(JSON.parse(shown)).toEqual({ ...own, enabled: true })
    writeFileSync(file, shown)
    expect((await runCli(['feeds', 'put', 'other', file], envOf(url))).code).toBe(0)
    expect(requests.at(-1)).toMatchObject({ method: 'PUT', path: '/api/v1/feeds/other' })
  })

  test('are run to the end; a held run is not a success', async () => {
    const { url } = await startFeedServer()
    const { code, stdout, stderr } = await runCli('feeds run shop', envOf(url))
    expect([code, stdout]).toEqual([
      1,
      '7\theld\t2026-11-17T05:00:00.000Z\tshop.csv\t5 items\t5 products instead of 8\n',
    ])
    expect(stderr).toContain('run 7 running shop.csv\n')
    expect(stderr).toContain('run 7 failed: no route; next attempt 2026-11-17T05:00:00.000Z\n')
  })

  test('have runs that are decided, and addresses', async () => {
    const { url, requests } = await startFeedServer()
    expect((await runCli('feeds discard shop 7', envOf(url))).stdout).toContain('7\tdiscarded')
    expect(requests.at(-1)).toMatchObject({ method: 'POST', path: '/api/v1/feeds/shop/runs/7/discard' })
    expect((await runCli('feeds address shop', envOf(url))).stdout).toBe('https://kontor.example.com/x\n')
    expect((await runCli('feeds address shop --revoke', envOf(url))).stdout).toContain('revoked')
    expect(requests.at(-1)).toMatchObject({ method: 'DELETE', path: '/api/v1/feeds/shop/address' })
  })

  test.each([
    ['feeds show', 'missing <name>'],
    ['feeds release shop', 'missing <run>'],
    ['feeds release shop x', '<run>: expected a number, found x'],
    ['feeds put shop', 'missing <file.json>'],
  ])('are not invented: %s', async (line, message) => {
    const { url } = await startFeedServer()
    const { code, stderr } = await runCli(line, envOf(url))
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)])
  })
})
