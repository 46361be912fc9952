/** The `kontor` command as a process, against a server of its own. */
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createModel } from '../server/test/catalogue.ts'
import { withServer } from '../server/test/server.ts'

const api = withServer()
const folder = mkdtempSync(join(tmpdir(), 'kontor-cli-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const program = fileURLToPath(new URL('../cli/bin/kontor.mjs', import.meta.url))
const password = 'a quiet heron by the weir'
let url = ''

interface Ran {
  code: number
  stdout: string
  stderr: string
}
const kontor = (words: readonly string[], env: Record<string, string> = {}): Promise<Ran> =>
  new Promise((resolve) => {
    const { PATH = '' } = process.env
    const options = { env: { PATH, KONTOR_CLI_HOME: join(folder, 'home'), ...env }, cwd: folder }
    const child = execFile(process.execPath, [program, ...words], options, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    )
    child.stdin!.end(password)
  })
const file = (name: string, content: string) => {
  writeFileSync(join(folder, name), content)
  return name
}

beforeAll(async () => {
  url = await api.listen()
  await createModel(api)
  await api.startWorker()
  await api.app.identity.users.create({ name: 'robin', roles: ['admin'], password })
})

test('one signs in, and the token is kept for one alone', async () => {
  expect(await kontor(['whoami'])).toMatchObject({ code: 3, stderr: expect.stringContaining('kontor login') })
  const login = await kontor(['login', '--url', url, '--user', 'robin', '--password-stdin'])
  expect(login).toMatchObject({ code: 0, stdout: `Signed in at ${url} as robin.\n` })
  expect(statSync(join(folder, 'home', 'session.json')).mode & 0o777).toBe(0o600)
  expect((await kontor(['whoami'])).stdout).toBe('robin: admin\n')
  expect(JSON.parse((await kontor(['whoami', '--json'])).stdout)).toMatchObject({ name: 'robin' })
})

describe('signed in', () => {
  test('an envelope is stored, and what is refused is told with the exit code 1', async () => {
    const xml = `<pim xmlns="http://www.apollon.de/omn" schemaVersion="5.6.0"><products>
      <product tid="CL1"><name>One</name><node>/Standard/Jackets</node></product>
      <product tid="CL2"><name>Two</name><node>/Nowhere</node></product></products></pim>`
    const ran = await kontor(['persist', file('in.xml', xml)])
    expect(ran).toMatchObject({ code: 1, stdout: expect.stringMatching(/^refused: CL2 .*\n1 stored, 1 refused\n$/) })
    const one = file('one.json', '{"schemaVersion":"5.6.0","kwds":{"kwd":[{"name":{"itm":[{"value":"Sea"}]}}]}}')
    expect(await kontor(['persist', one])).toMatchObject({ code: 0, stdout: '1 stored, 0 refused\n' })
  })

  test('objects are retrieved in every format', async () => {
    const words = ['products', 'retrieve', '--tid', 'CL1', '--as']
    expect((await kontor([...words, 'xml'])).stdout).toMatch(/^<\?xml.*<product tid="CL1">/s)
    expect(JSON.parse((await kontor([...words, 'compact'])).stdout)).toHaveProperty('products')
    expect((await kontor(['products', 'query', '--request', '{"nodePaths":["/Standard/Jackets"]}'])).stdout).toContain('CL1') // prettier-ignore
    expect(await kontor([...words, 'yaml'])).toMatchObject({ code: 2, stderr: expect.stringContaining('usage:') })
  })

  test('a folder is uploaded with everything in it', async () => {
    mkdirSync(join(folder, 'pictures', 'below'), { recursive: true })
    file('pictures/a.txt', 'a')
    file('pictures/below/b.txt', 'b'.repeat(100))
    const ran = await kontor(['upload', 'pictures', '--to', '/MAM/cli', '--resume'])
    expect(ran).toMatchObject({ code: 0, stdout: expect.stringContaining('uploaded: /MAM/cli/below/b.txt') })
    expect(await kontor(['upload', 'pictures/a.txt', '--to', '/MAM/cli'])).toMatchObject({ code: 1 })
    expect(await kontor(['upload', 'pictures/a.txt', '--to', '/MAM/cli', '--overwrite'])).toMatchObject({ code: 0 })
  })

  test('files are imported and exported', async () => {
    const csv = file('in.csv', 'tid,name,node,weight\nCI1,I1,/Standard/Jackets,5\nCI2,I2,/Standard/Jackets,heavy\n')
    expect(await kontor(['import', csv, '--validate'])).toMatchObject({ code: 1, stdout: expect.stringContaining('row 2, weight:') }) // prettier-ignore
    const ran = await kontor(['import', csv, '--result', 'wrong.csv'])
    expect(ran.stdout).toContain('1 created, 0 updated, 1 refused')
    expect(readFileSync(join(folder, 'wrong.csv'), 'utf8')).toContain('CI2,I2,/Standard/Jackets,heavy,refused')
    expect(await kontor(['export', '--tid', 'CI1', '--column', 'tid', '--column', 'weight', '--out', 'out.csv'])).toMatchObject({ code: 0, stdout: '1 products in out.csv\n' }) // prettier-ignore
    expect(readFileSync(join(folder, 'out.csv'), 'utf8')).toBe('\ufefftid,weight\r\nCI1,5\r\n')
  })

  test('events are followed, webhooks looked after', async () => {
    const { position } = (await api.get('/api/v1/events')).json
    await kontor(['persist', file('k.json', '{"schemaVersion":"5.6.0","kwds":{"kwd":[{"name":{"itm":[{"value":"Told"}]}}]}}')]) // prettier-ignore
    const { stdout } = await kontor(['events', 'follow', '--after', position, '--count', '1'])
    expect(JSON.parse(stdout)).toMatchObject({ type: 'kontor.keyword.created', subject: '/Told' })
    const { id } = JSON.parse((await kontor(['webhooks', 'create', 'https://example.com/hook', '--json'])).stdout)
    expect((await kontor(['webhooks', 'list'])).stdout).toContain(`${id}\tenabled`)
    expect((await kontor(['webhooks', 'delete', id])).code).toBe(0)
  })
})

test('help, completion and exit codes', async () => {
  expect(await kontor(['help'])).toMatchObject({ code: 0, stdout: expect.stringContaining('products retrieve') })
  expect((await kontor(['help', 'upload'])).stdout).toContain('--to /RNC/path')
  for (const shell of ['bash', 'zsh', 'fish']) expect((await kontor(['completion', shell])).stdout).toContain('kontor')
  expect(await kontor(['dance'])).toMatchObject({ code: 2 })
  const nobody = { KONTOR_URL: 'http://127.0.0.1:1', KONTOR_TOKEN: 'x' }
  expect(await kontor(['whoami'], nobody)).toMatchObject({
    code: 4,
    stderr: expect.stringContaining('does not answer'),
  })
  expect(await kontor(['whoami'], { KONTOR_URL: url, KONTOR_TOKEN: 'x' })).toMatchObject({ code: 3 })
})
